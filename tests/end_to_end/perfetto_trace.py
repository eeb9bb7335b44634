"""Reads the traces that runs leave, by Perfetto's own numbers of fields (perfetto_trace.proto), and says whether they are well-formed.
What the format knows but no run writes is an error here: a wrong number would else pass as unknown.

    perfetto_trace.py FILE [OFFICIAL]      prints what is in it; with OFFICIAL (PyPI perfetto, protobuf) decodes it by their classes, too"""
import collections
import dataclasses
import struct
import sys

# message: {number of field: (name, kind)}
SCHEMA = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {8: ("timestamp", "uint"), 10: ("sequence", "uint"), 11: ("track_event", "TrackEvent"), 12: ("interned", "InternedData"), 13: ("flags", "uint"),
                    59: ("defaults", "TracePacketDefaults"), 60: ("track", "TrackDescriptor")},
    "TracePacketDefaults": {11: ("track_event", "TrackEvent")},
    "InternedData": {2: ("names", "Interned"), 3: ("arguments", "Interned")},
    "Interned": {1: ("iid", "uint"), 2: ("name", "text")},
    "TrackEvent": {4: ("annotation", "DebugAnnotation"), 9: ("type", "uint"), 10: ("name_iid", "uint"), 11: ("track", "uint"), 23: ("name", "text"), 44: ("count", "double")},
    "DebugAnnotation": {1: ("name_iid", "uint"), 4: ("value", "uint"), 5: ("value", "double"), 6: ("value", "text")},
    "TrackDescriptor": {1: ("uuid", "uint"), 2: ("name", "text"), 3: ("process", "Process"), 4: ("thread", "Thread"), 5: ("parent", "uint"), 8: ("counter", "Counter")},
    "Process": {1: ("pid", "uint"), 6: ("name", "text")},
    "Thread": {1: ("pid", "uint"), 2: ("tid", "uint"), 5: ("name", "text")},
    "Counter": {6: ("unit", "text")},
}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def decode(data, kind):
    """A message as {name: list of values}."""
    fields, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        name, form = SCHEMA[kind][key >> 3]
        if form == "uint":
            assert key & 7 == 0, f"{kind}.{name} is no varint"
            value, at = varint(data, at)
        elif form == "double":
            assert key & 7 == 1, f"{kind}.{name} is no double"
            (value,), at = struct.unpack_from("<d", data, at), at + 8
        else:
            assert key & 7 == 2, f"{kind}.{name} has no length"
            length, at = varint(data, at)
            assert at + length <= len(data), f"{kind}.{name} is cut off"
            value, at = data[at:at + length], at + length
            value = value.decode() if form == "text" else decode(value, form)
        fields[name].append(value)
    return fields


@dataclasses.dataclass
class Slice:
    name: str
    begin: int  # ns
    end: int
    depth: int
    arguments: dict


@dataclasses.dataclass
class Track:
    name: str
    slices: list = dataclasses.field(default_factory=list)
    instants: list = dataclasses.field(default_factory=list)  # of no length
    counts: list = dataclasses.field(default_factory=list)  # (ns, value)


def read(path):
    """Tracks by name. As a viewer does it: events in the order of their times, those of equal time in that of the file."""
    tracks, states, events = {}, {}, []
    for packet in decode(path.read_bytes(), "Trace")["packet"]:
        for track in packet["track"]:
            name = track["name"] or [part["name"][0] for part in track["thread"] + track["process"]]
            assert track["uuid"][0] not in tracks, "a track described twice"
            tracks[track["uuid"][0]] = Track(name[0])
        if packet["track"]:
            continue
        number, flags = packet["sequence"][0], packet["flags"][0]
        if flags & 1:
            interned, defaults = packet["interned"][0], packet["defaults"][0]["track_event"][0]
            states[number] = ({entry["iid"][0]: entry["name"][0] for entry in interned["names"]},
                              {entry["iid"][0]: entry["name"][0] for entry in interned["arguments"]}, defaults["track"][0])
            continue
        assert flags & 2 and number in states, "names before they are known"
        names, arguments, own_track = states[number]
        event = packet["track_event"][0]
        name = event["name"][0] if event["name"] else names[event["name_iid"][0]] if event["name_iid"] else None
        values = {arguments[a["name_iid"][0]]: a["value"][0] for a in event["annotation"]}
        events.append((packet["timestamp"][0], event["track"][0] if event["track"] else own_track, event["type"][0], name, values, event["count"]))
    open_slices = collections.defaultdict(list)
    for ns, uuid, kind, name, values, count in sorted(events, key=lambda event: event[0]):
        track, opened = tracks[uuid], open_slices[uuid]
        if kind == 1:
            opened.append(Slice(name, ns, -1, len(opened), values))
            track.slices.append(opened[-1])
        elif kind == 2:
            assert opened, f"{track.name}: a slice ends that has not begun"
            opened.pop().end = ns
        elif kind == 3:
            track.instants.append(Slice(name, ns, ns, 0, values))
        else:
            track.counts.append((ns, count[0]))
    assert not any(open_slices.values()), "a slice that does not end"
    return {track.name: track for track in tracks.values()}


def official(path):
    """The same file by the classes that Perfetto publishes, where they are installed.  @return number of packets"""
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2  # noqa: PLC0415

    def check(message):
        assert len(UnknownFieldSet(message)) == 0, f"{type(message).__name__} has a field that is not known there"
        for field, value in message.ListFields():
            if field.type == field.TYPE_MESSAGE:
                for part in value if field.is_repeated else [value]:
                    check(part)

    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(path.read_bytes())
    check(trace)
    return len(trace.packet)


if __name__ == "__main__":
    import pathlib

    file = pathlib.Path(sys.argv[1])
    for track in read(file).values():
        print(f"{track.name}: {len(track.slices)} slices, {len(track.instants)} instants, {len(track.counts)} counts")
        for name, number in collections.Counter(s.name for s in track.slices + track.instants).items():
            print(f"    {number:8} {name}")
    if len(sys.argv) > 2:
        print(f"{official(file)} packets by Perfetto's own classes")
