#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// Files of FMUs: archive and modelDescription.xml. Codes Y0xx; FMUs as parts of plants are Y1xx.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"Y001", "file that is no FMU",
     "An FMU is a zip archive (.fmu) with a modelDescription.xml at its top. This file cannot be opened as one."},
    {"Y002", "path that leaves the archive",
     "An entry of the archive has an absolute path, a backslash, a drive letter or `..`: unpacking it could write "
     "anywhere. Export the FMU again."},
    {"Y003", "entry that is no file", "Links, devices and the like have no place in an FMU."},
    {"Y004", "entry that is there twice",
     "Two entries have the same name, or names that differ in case only: it is not clear which one is meant."},
    {"Y005", "encrypted entry", "Encrypted FMUs cannot be read."},
    {"Y006", "archive too large",
     "More entries, bytes or compression than any honest FMU has: probably an archive made to fill a disk."},
    {"Y007", "damaged archive", "Checksum or structure of the archive is wrong. Fetch or export the FMU again."},
    {"Y008", "file missing in the archive", "The archive lacks a file that its description needs."},
    {"Y009", "no modelDescription.xml", "It must stand at the top of the archive, not in a folder."},
    {"Y010", "XML that is not well-formed", "modelDescription.xml cannot be parsed at this place."},
    {"Y011", "DOCTYPE", "Document types and their entities are not read: they could name files or grow without bound."},
    {"Y012", "XML nested too deeply", "More nesting, attributes or longer names than any description needs."},
    {"Y013", "encoding that is not read", "UTF-8, UTF-16 and ISO-8859-1 are. Save modelDescription.xml as UTF-8."},
    {"Y014", "no fmiModelDescription", "The root element of modelDescription.xml must be fmiModelDescription."},
    {"Y020", "version of FMI",
     "Only FMI 2.0.x and 3.0.x are read. FMI 1.0 has another interface: export the FMU anew."},
    {"Y021", "no interface", "The FMU offers neither co-simulation nor model exchange."},
    {"Y022", "modelIdentifier", "It names the library and must be a C identifier."},
    {"Y023", "empty name or token", "modelName, guid (FMI 2) and instantiationToken (FMI 3) must not be empty."},
    {"Y024", "no binary and no source", "There is neither a library for this machine nor source code to make one of."},
    {"Y025", "flag of an interface", "A capability has a value that the standard does not allow."},
    {"Y026", "default experiment",
     "Times and tolerance must be finite, the stop not before the start, the step above zero."},
    {"Y027", "factor of a unit", "The factor of a unit must be finite and not zero."},
    {"Y028", "unit that is there twice", "Units and their display units have names of their own."},
    {"Y029", "type definition", "Types have names of their own and kinds that the standard knows."},
    {"Y030", "name of a variable", "Every variable has a name of its own."},
    {"Y031", "valueReference", "A whole number from 0 to 4294967295."},
    {"Y032", "kind of variable", "The element of a variable must be a type that the version of FMI knows."},
    {"Y036", "derivative", "derivative must name a continuous variable of the FMU."},
    {"Y038", "dimension of an array", "A dimension has a start or names a structural parameter of type UInt64."},
    {"Y039", "start value",
     "A start value must have the type of its variable, and an array as many as it has elements."},
    {"Y041", "number", "The attribute must be a number of the kind that the standard gives."},
    {"Y043", "word", "The attribute has one of a few words of the standard."},
    {"Y050", "ModelStructure",
     "Its entries name variables that exist: by index from 1 in FMI 2, by valueReference in FMI 3."},
    {"Y054", "dependenciesKind", "As many kinds as dependencies."},
    {"Y070", "FMU that cannot be unpacked",
     "The folder cannot be written. Is the disk full, may the folder be written?"},
    {"Y071", "folder that is there already", "An FMU is unpacked to a folder of its own."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> fmus_codes() { return rows; }

}  // namespace takt::codegen
