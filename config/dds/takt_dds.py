"""The types of takt.idl for cyclonedds of Python, and readers and writers of the topics of a plant.

    takt_dds.py PLANT --interface lo [--domain 0]      prints what comes: description, status, events, rates of blocks

The interface is that of the bridge. Where CYCLONEDDS_URI is set, it stands."""
import os
from dataclasses import dataclass, field

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import float64, int64, sequence, uint32, uint64
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

LAYOUT = 1
NAMES = "takt_msgs::msg::dds_::"


@dataclass
@final
class Block(IdlStruct, typename=NAMES + "Block_"):
    session: uint64
    number: uint64
    time_ns: int64
    dropped: uint64
    values: sequence[float64]


@dataclass
@final
class BlockDescription(IdlStruct, typename=NAMES + "BlockDescription_"):
    name: str
    topic: str
    period_ns: int64
    asked_ns: int64
    paths: sequence[str]
    units: sequence[str]


@dataclass
@final
class Description(IdlStruct, typename=NAMES + "Description_"):
    layout: uint32
    session: uint64
    plant: str
    hash: str
    generator: str
    run: str
    run_id: str
    bridge: str
    macro_step_ns: int64
    blocks: sequence[BlockDescription]


@dataclass
@final
class Bus(IdlStruct, typename=NAMES + "Bus_"):
    name: str
    state: str
    received: uint64
    sent: uint64
    failed: uint64


@dataclass
@final
class Status(IdlStruct, typename=NAMES + "Status_"):
    session: uint64
    phase: str
    time_ns: int64
    macro_steps: uint64
    rtf: float64
    overruns: uint64
    verdicts: uint64
    ledger_alarms: uint64
    samples_dropped: uint64
    blocks_written: uint64
    blocks_failed: uint64
    rows_dropped: uint64
    buses: sequence[Bus]


@dataclass
@final
class Event(IdlStruct, typename=NAMES + "Event_"):
    session: uint64
    number: uint64
    time_ns: int64
    text: str


@dataclass
@final
class Command(IdlStruct, typename=NAMES + "Command_"):
    layout: uint32 = LAYOUT
    author: str = ""
    id: uint64 = 0
    verb: str = ""
    paths: sequence[str] = field(default_factory=list)
    values: sequence[str] = field(default_factory=list)


@dataclass
@final
class Acknowledgement(IdlStruct, typename=NAMES + "Acknowledgement_"):
    session: uint64
    author: str
    id: uint64
    ok: bool
    error: str
    effective_ns: int64
    window: int64


def limit_to(interface, config=None):
    """DDS of this process to one network interface. Before the first participant. On an interface without multicast, as lo, others
    are sought at its own address."""
    alone = interface == "lo"
    text = (f"<CycloneDDS><Domain><General><Interfaces><NetworkInterface name='{interface}'/></Interfaces><AllowMulticast>{str(not alone).lower()}"
            "</AllowMulticast><MaxMessageSize>65000B</MaxMessageSize></General><Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60"
            f"</MaxAutoParticipantIndex>{'<Peers><Peer address=%r/></Peers>' % '127.0.0.1' if alone else ''}</Discovery></Domain></CycloneDDS>")
    os.environ["CYCLONEDDS_URI"] = text + (f",file://{config}" if config else "")


class Plant:
    """The topics of one plant. Readers are made when they are first asked for."""

    def __init__(self, name, domain=0, participant=None):
        self.participant = participant or DomainParticipant(domain)
        self.prefix = f"rt/takt/{name}/"
        self.description = self.reader("description", Description, 1, latched=True)
        self.status = self.reader("status", Status, 100)
        self.events = self.reader("events", Event, 1000, latched=True)
        self.acknowledgements = self.reader("acknowledgements", Acknowledgement, 4096)
        quality = self.quality(4096, False)
        self.commands = DataWriter(self.participant, Topic(self.participant, self.prefix + "commands", Command, qos=quality), qos=quality)

    @staticmethod
    def quality(depth, latched):
        durability = Policy.Durability.TransientLocal if latched else Policy.Durability.Volatile
        return Qos(Policy.Reliability.Reliable(max_blocking_time=1_000_000_000), Policy.History.KeepLast(depth), durability)

    def reader(self, topic, kind, depth, latched=False):
        quality = self.quality(depth, latched)
        return DataReader(self.participant, Topic(self.participant, self.prefix + topic, kind, qos=quality), qos=quality)

    def block(self, name, depth=5000):
        """A reader of Block."""
        return self.reader("blocks/" + name, Block, depth)

    @staticmethod
    def take(reader, most=5000):
        """What has come; not that a writer has gone."""
        return [sample for sample in reader.take(N=most) if sample.sample_info.valid_data]

    def command(self, author, number, verb, values=None, layout=LAYOUT):
        """values: {path: text}, or a list of paths, or of one text for `step`"""
        values = values or {}
        paths = [] if verb == "step" else list(values)
        texts = list(values.values()) if isinstance(values, dict) else list(values) if verb == "step" else []
        self.commands.write(Command(layout, author, number, verb, paths, texts))


def main():
    import argparse
    import time
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plant")
    parser.add_argument("--interface", required=True)
    parser.add_argument("--domain", type=int, default=0)
    arguments = parser.parse_args()
    if "CYCLONEDDS_URI" not in os.environ:
        limit_to(arguments.interface)
    plant = Plant(arguments.plant, arguments.domain)
    blocks = {}
    while True:
        for description in plant.take(plant.description):
            print(f"{description.plant} {description.hash}, run {description.run}, {description.bridge}")
            for block in description.blocks:
                print(f"  {block.name}: {len(block.paths)} signals every {block.period_ns / 1e6:g} ms, as {block.paths[0]} [{block.units[0]}]")
                blocks.setdefault(block.name, plant.block(block.name))
        for event in plant.take(plant.events):
            print(f"{event.time_ns / 1e9:12.6f}  {event.text}")
        for status in plant.take(plant.status)[-1:]:
            came = {name: len(plant.take(reader)) for name, reader in blocks.items()}
            print(f"{status.time_ns / 1e9:12.6f}  {status.phase}, RTF {status.rtf:.3f}, {status.overruns} overruns, blocks {came}", flush=True)
        time.sleep(1.0)


if __name__ == "__main__":
    main()
