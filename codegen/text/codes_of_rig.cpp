#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Rig files, DBC files and buses. Letter B.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"B001", "rig file cannot be read",
     "The path given with --rig does not exist or cannot be opened."},
    {"B002", "unknown key in a rig file",
     "The key has no meaning in this table, so it would be ignored in silence. "
     "config/manual/rig_files lists the keys."},
    {"B003", "wrong kind of value in a rig file",
     "A text was given where a number is needed, a table where a text is needed, or the like. "
     "Durations are texts with a unit: \"20 ms\"."},
    {"B004", "value out of range in a rig file",
     "The value cannot be used there; the message says what can."},
    {"B005", "unknown kind of bus",
     "A bus names its kind: kind = \"can\". Other kinds come with later versions."},
    {"B010", "CAN database cannot be read",
     "The DBC file does not exist or cannot be opened. The path in a rig file is relative to the "
     "rig file."},
    {"B011", "mistake in a CAN database",
     "The text does not follow the DBC format at this place. The statement is dropped, which is a "
     "warning; a rig that uses the message or signal it was about is refused (B029). An error "
     "where no message is left."},
    {"B012", "second message or signal of the same name or id",
     "Of two messages with one id, or two signals of one name in a message, the first counts. Two "
     "messages with one name are both kept, but the name means the first."},
    {"B013", "signal that cannot be coded",
     "A signal has 1 to 64 bits inside its message, a float 32 and a double 64 bits, and a factor "
     "other than 0. The signal is kept but cannot be mapped."},
    {"B014", "CAN id without its mark, or too large",
     "A DBC marks 29-bit ids with bit 31. Ids above 0x7FF without the mark are taken as 29-bit "
     "ids; ids above 0x1FFFFFFF do not exist."},
    {"B015", "multiplexing that makes no sense",
     "Signals marked m0, m1, ... need one multiplexer (M) in their message, or SG_MUL_VAL_ lines "
     "that name it; multiplexers are whole numbers and do not depend on each other in a circle."},
    {"B016", "statement about an unknown message or signal",
     "A comment, attribute or value table names a message or signal that the database does not "
     "have. It is ignored."},
    {"B017", "unknown section in a CAN database",
     "The keyword is not known; the statement is skipped."},
    {"B018", "message longer than a frame",
     "A classic frame has 8 bytes, a CAN FD frame 64. Longer messages are sent in parts by a "
     "transport protocol, which is not supported; the message cannot be mapped. A message is CAN "
     "FD where its attribute VFrameFormat says so: StandardCAN_FD or ExtendedCAN_FD, the numbers "
     "14 and 15; in a database without this attribute every message of 9 to 64 bytes is; and where "
     "the rig says so: fd = true of a bus or a message."},
    {"B019", "signals share bits",
     "Two signals that can be in the same frame overlap. Receiving both is harmless; sending both "
     "mixes their bits."},
    {"B020", "unknown node in `simulate`",
     "`simulate` lists nodes of the database (BU_) whose messages the plant sends."},
    {"B021", "unknown message or signal",
     "Keys of [bus.NAME.receive] and [bus.NAME.send] are \"Message.Signal\" as the database spells "
     "them."},
    {"B022", "unknown plant input or signal",
     "Received signals go to plant inputs ([input] of the plant file); sent signals come from any "
     "path of the plant: `takt check --show network` lists them."},
    {"B023", "units of bus and plant do not agree",
     "The unit in the database and the unit in the plant have different dimensions, or one is a "
     "frequency (Hz) and the other an angular velocity (rpm, rad/s), which needs a factor of 2*pi. "
     "Map another signal, name the right unit ({ to = ..., unit = \"...\" }), or scale by hand ({ "
     "to = ..., scale = ..., offset = ... })."},
    {"B024", "mapped twice",
     "A plant input has one source, and a bus signal one meaning. A received signal goes to "
     "several inputs by a list: "
     "\"Message.Signal\" = [\"input_a\", { to = \"input_b\", scale = 2 }]."},
    {"B025", "message in the wrong direction",
     "The plant sends the messages of the nodes in `simulate` and receives those of all others."},
    {"B026", "signal of a sent message is not mapped",
     "It is sent as its start value (GenSigStartValue), else 0 or the end of its range nearest to "
     "0."},
    {"B027", "period missing or not on the grid",
     "A cyclic message needs a period: GenMsgCycleTime in the database or { period = ... } in the "
     "rig. Frames leave at synchronisation times, so the period should be a multiple of it. The "
     "I/O thread sends a message once in a step of the `grid` of its bus at most, and a database "
     "may ask for more, or for times beyond 1 ms to 1 h: the warning says what is done instead."},
    {"B028", "buses in each other's way", "Each bus has its own channel and its own port."},
    {"B029", "signal cannot be used",
     "The database describes this signal or its message in a way that cannot be coded, or its line "
     "cannot be read."},
    {"B030", "unit in the database is not known",
     "The unit text of the signal is empty or not understood, so the value is taken as SI. Name "
     "the unit: { to = ..., unit = \"...\" }."},
    {"B031", "value outside the range of its signal",
     "The database gives the signal a range that the value leaves, or its bits do not hold the "
     "value, so that another one would be sent."},
    {"B032", "several multiplexers without a value",
     "One open multiplexer is sent in turns, one frame for each of its values with mapped signals. "
     "The others need a constant or a plant signal."},
    {"B033", "message of a simulated node is not sent",
     "The plant sends all messages of the nodes in `simulate`, those without a mapped signal with "
     "their start values, but needs a period: GenMsgCycleTime of the database, `period` of the bus "
     "for all, or { period = ... } of the message. { off = true } says that a message is not to be "
     "sent. An ECU that waits for it will report it missing."},
    {"B034", "step that says too little or too much",
     "A step of [[start]] or [[stop]] does one thing: set = { \"can0.Message.Signal\" = 1 }, wait "
     "= \"can0.Message\", when = \"can0.Message.Signal > 0.5\", or pause = \"100 ms\". wait and "
     "when need a time-out, within = \"5 s\"."},
    {"B035", "step that names what its bus does not carry",
     "A step sets signals that the plant sends and waits for messages that it receives, both as "
     "the maps of the bus have them: \"can0.Message.Signal\"."},
    {"B036", "multiplexer that is not made safe after the plant's death",
     "Whoever sends in place of a plant that has died knows its last frame and the safe values. "
     "Another page of a multiplexed message can only be sent whole: where each of its signals has "
     "a safe value or is a constant."},
    {"B037", "CAN FD message on the virtual bus",
     "Clients of the virtual bus speak socketcand, which has classic frames only, or slcan. What a "
     "client cannot get is counted for each in the summary of a run. This is a warning."},
    {"B040", "protection that does not fit its message",
     "The counter, the checksum and the constant fields of an end-to-end protection lie inside the "
     "message, each at bits of its own. What they write is not mapped in [bus.NAME.send]. Profiles "
     "1 and 11 protect 30 bytes at most."},
    {"B041", "protection that says too little",
     "[bus.NAME.protect] names a profile with its data id: { profile = \"P01\", data_id = 0x123 }, "
     "for profiles 2 and 22 data_id_list with 16 bytes; or a counter, a checksum with its "
     "polynomial, or both: { counter = \"SIGNAL\", checksum = \"SIGNAL\", polynomial = 0x2F }."},
    {"B042", "protection of a message that the rig does not carry",
     "The plant neither sends nor receives the message, so nobody would protect or check it."},
    {"B043", "value name that the database does not have",
     "Constants, safe values and the steps of [[start]] and [[stop]] take the names that the "
     "database gives values of a signal (VAL_): { value = \"Drive\" }, { from = ..., safe = "
     "\"Park\" }, set = { \"can0.Message.Signal\" = \"Drive\" }, when = \"can0.Message.Signal == "
     "Drive\". They are spelled as in the database; a name of several values cannot be used."},
    {"B044", "rest bus that waits for what cannot be",
     "`start` of [bus.NAME] says when the messages begin that the simulated nodes send by "
     "themselves: \"at-once\", \"heard\" (with the first frame of somebody else), or { when = "
     "\"Message.Signal > 0.5\" } of a signal that the plant receives on this bus. Messages with "
     "signals of the plant do not wait."},
    {"B045", "databases of one bus that clash",
     "dbc = [\"a.dbc\", \"b.dbc\"] makes one database of several. A message stands in one of them: "
     "ids and names are told apart by nothing else. Nodes of the same name are one node."},
    {"B046", "gateway that cannot be",
     "A gateway forwards frames between two buses of the rig: body = { from = \"can0\", to = "
     "\"can1\", messages = [\"BMS_State\", \"0x123\", \"0x100..0x1FF\"] } in [gateway]. Messages "
     "are named as in the database of `from`; an id above 0x7FF, or with eight hexadecimal digits, "
     "has 29 bits. `id` gives one message another id."},
    {"B047", "id with two senders",
     "A gateway sends a message on a bus on which the rig, or another gateway, sends frames of the "
     "same id already. On a bus every id has one sender."},
    {"B048", "gateways that forward in a circle",
     "A frame would come back to the bus that it came from, with an id that is forwarded again, "
     "and so for ever. A gateway with both = true does not take back what it has sent itself; "
     "several gateways do not know of each other."},
    {"B049", "hosts that cannot compute a plant together",
     "A rig with hosts has two or more tables [host.NAME], each with the interface of its network; "
     "the first leads. `computes` lists subsystems (also with *) and sync groups of the plant; one "
     "host without it takes what is left."},
    {"B050", "what cannot cross between hosts in real time",
     "A host does not wait for another one: what crosses is exchanged with lag 1, and from the "
     "release of the sender's last window till the value is read, which is that window's length, "
     "the network has half of a round trip's time ([hosts] round_trip tells it to `takt check`; a "
     "run measures it)."},
    {"B051", "layout of a UDP frame that cannot be",
     "A UDP frame is a list of fields in the order of their bytes, each one of { name = "
     "\"torque\", type = \"f64\", to = \"INPUT\" } (received; sent: from = \"SIGNAL\" or value = "
     "1), { counter = \"u32\" }, { time = \"i64\" }, { constant = \"u16\", value = 0x5443 } and { "
     "skip = 3 } (bytes). Types are u8 to u64, i8 to i64, f32 and f64. A frame that is sent has a "
     "period; one frame has at most 1472 bytes. What stands in a whole number is whole; "
     "extrapolation needs a time stamp; a time-out is as long as the grid of the bus, or longer."},
    {"B052", "UDP frames that nothing tells apart",
     "What has come is known by its length and its constants. Two received frames of one length "
     "have a constant of the "
     "same type at the same place, with another value in each: { constant = \"u8\", value = 1 }."},
    {"B053", "UDP frame that does not show what goes wrong",
     "UDP may lose, double and reorder what is sent. Only a counter of the sender shows it: "
     "without one the values of every frame are taken as it comes, older ones after newer ones, "
     "too. And only a counter or a constant of two bytes or more shows that the sender has the "
     "other byte order: without one wrong numbers would be taken. This is a warning."},
    {"B054", "UDP bus that does not say where it is",
     "A UDP bus is on one interface of this machine (the loopback where none is named), receives "
     "on one port, and hears and sends to one peer: interface = \"eth0\", port = 5005, peer = "
     "\"192.168.1.20:5006\". Datagrams of anybody else are counted and not looked at. A peer on "
     "this machine is on the interface lo."},
    {"B055", "UDP bus that this machine cannot serve now",
     "`takt check --rig` has asked this machine: the interface of the bus is not there, or its "
     "port is in use. That "
     "is as it should be where the plant runs elsewhere, or is running. This is a warning."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> rig_codes() { return rows; }

}  // namespace takt::codegen
