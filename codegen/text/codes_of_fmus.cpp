#include "codegen/text/code_rows.hpp"

namespace takt::codegen {
namespace {

// FMUs. Letter Y: 001 to 009 archive, 010 to 019 XML, 020 to 029 model and interfaces, 030 to 049
// variables, 050 to 059 structure, 060 to 069 other files, 070 to 079 unpacking.
constexpr std::array rows = std::to_array<CodeEntry>({
    {"Y001", "file that is no FMU",
     "An FMU is a zip archive that ends in its table of contents. A file that is cut short, or of "
     "another kind, has none. Fetch it again."},
    {"Y002", "name in an FMU that is refused",
     "Entries of an FMU have names relative to its top with '/' between folders. Absolute names, "
     "'..', backslashes, drive letters, control characters and empty parts are refused: unpacked, "
     "such a file could lie anywhere. './' is left out of names. Pack the FMU again."},
    {"Y003", "link or device in an FMU",
     "An FMU holds files and folders. Symbolic links could lead out of the folder that it is "
     "unpacked to. Pack the file itself."},
    {"Y004", "name twice in an FMU",
     "Which of two entries with one name is meant depends on the tool that unpacks. Names that "
     "differ in case only are a warning: on other systems one is lost."},
    {"Y005", "encrypted FMU", "FMI knows no passwords. Pack the FMU without encryption."},
    {"Y006", "FMU beyond all bounds",
     "More than 20 000 entries, more than 4 GiB, a ratio of unpacked to packed bytes above 200 to "
     "1 (of archives that unpack to more than 64 MiB), or a description of more than 64 MiB: what "
     "fills a disk is taken for a bomb."},
    {"Y007", "damaged entry of an FMU",
     "The bytes of an entry do not unpack, or their checksum or number is another one than the "
     "archive says. Fetch or export the FMU again."},
    {"Y008", "packing method that FMI does not allow",
     "Entries of an FMU are stored or deflated. Others (bzip2, LZMA, zstd) are not read "
     "everywhere. Pack it again."},
    {"Y009", "FMU without modelDescription.xml",
     "The file modelDescription.xml stands at the top of the archive. Often the folder was packed "
     "instead of what is in it."},
    {"Y010", "XML that is not well-formed",
     "The text breaks the grammar of XML 1.0; the place is where reading ended. Nothing after it "
     "is looked at."},
    {"Y011", "document type or entity",
     "Document types and their entities are not read: they can be made to grow without bound and "
     "to fetch files. The five entities of XML and characters by number are known."},
    {"Y012", "XML beyond bounds",
     "Elements nested more than 64 deep, more than 200 attributes of one element, or names longer "
     "than 256 bytes: no description of an FMU needs them."},
    {"Y013", "encoding that is not read",
     "FMI asks for UTF-8. ISO-8859-1, US-ASCII and UTF-16 with a mark are read too. The first line "
     "names the encoding."},
    {"Y014", "wrong root element",
     "The root of modelDescription.xml is fmiModelDescription, that of terminalsAndIcons.xml "
     "fmiTerminalsAndIcons, that of buildDescription.xml fmiBuildDescription."},
    {"Y015", "element that does not belong there",
     "The standard knows no such element here, or another order. It is not read; misspelt elements "
     "are a common cause."},
    {"Y016", "element that is missing or there too often",
     "Without ModelVariables, ModelStructure or the type of a variable there is nothing to go on "
     "with: an error. Lists that are there but empty are a warning."},
    {"Y017", "unknown attribute",
     "The standard knows no such attribute of this element, and it is not read; a misspelt one is "
     "a common cause. Tools put their own data into annotations."},
    {"Y018", "attribute that is missing", "The standard demands this attribute."},
    {"Y019", "attribute of the wrong form",
     "Numbers are written as XML Schema says: 1.5e-3, INF, -INF, NaN; whole numbers have no point; "
     "both must be held by their type. Flags are true, false, 1 or 0."},
    {"Y020", "version of FMI that is not read",
     "FMI 2.0 (all of its releases write 2.0) and FMI 3.0.x are read. Export the FMU as one of "
     "these."},
    {"Y021", "FMU without an interface that is served",
     "Co-simulation and model exchange are served; scheduled execution is not."},
    {"Y022", "wrong model identifier",
     "modelIdentifier names the library of an interface, and in sources its functions: letters, "
     "digits and '_' as a "
     "name of C. Another one is a warning as long as it can be that of a file."},
    {"Y023", "empty token",
     "guid (FMI 2) or instantiationToken (FMI 3) is compared with what the library has: most make "
     "no instance without it."},
    {"Y024", "no binary for this machine",
     "Folders below binaries/ are linux64 of FMI 2, x86_64-linux or aarch64-linux of FMI 3. An FMU "
     "with sources can be compiled instead."},
    {"Y025", "abilities that contradict one another",
     "A state that cannot be got and set cannot be serialised; a fixed step is above 0."},
    {"Y026", "default experiment that cannot be",
     "Times, step or tolerance of DefaultExperiment do not fit together. They are only a proposal: "
     "those that cannot be used are left out."},
    {"Y027", "factor of a unit that cannot be",
     "Values are multiplied by the factor of a unit, and divided by it: a finite number other than "
     "0."},
    {"Y028", "unit or type defined twice", "Names of units and of types differ from one another."},
    {"Y029", "item of an enumeration twice",
     "Names and values of the items of an enumeration differ from one another."},
    {"Y030", "name of a variable twice",
     "Variables, and aliases of FMI 3, have names of their own."},
    {"Y031", "value reference that is claimed twice",
     "In FMI 3 each variable has a reference of its own. In FMI 2 variables of one type with one "
     "reference are one value, and must agree on constant or not, unit and start value: where they "
     "do not, each is read by its own unit, and it is a warning. That only one of them is set from "
     "outside is demanded. --strict makes all of it errors."},
    {"Y032", "declared type that does not fit",
     "declaredType names an entry of TypeDefinitions of the same kind as the variable; what the "
     "variable says itself counts otherwise."},
    {"Y033", "unit that is not defined",
     "Units of variables are defined under UnitDefinitions with their base units; without them a "
     "value cannot be converted. A display unit is defined under its unit."},
    {"Y034", "start value that is missing",
     "Inputs, parameters, constants, and variables whose initial value is exact or approx have a "
     "start value. Without one the FMU's own counts: a warning, but for inputs and arrays."},
    {"Y035", "start value that is not used",
     "A variable that is calculated at the start, or the time, has no start value. It is not "
     "used."},
    {"Y036", "wrong number of start values",
     "An array has as many start values as elements, row by row, or a single one for all."},
    {"Y037", "start value that the variable cannot have",
     "Start values lie between min and max and are finite; that of an enumeration is the value of "
     "one of its items."},
    {"Y038", "wrong dimension",
     "A dimension has a number, or the valueReference of a structural parameter or constant of "
     "type UInt64 that has a start value. All variables together have at most 2^24 elements."},
    {"Y039", "causality and variability that do not go together",
     "Parameters are fixed or tunable; inputs discrete or continuous; outputs constant, discrete "
     "or continuous; the time continuous. Only numbers with a point are continuous. FMI 2 has "
     "continuous where nothing is said."},
    {"Y040", "initial that the variable cannot have",
     "Parameters and constants are exact, calculated parameters approx or calculated, inputs and "
     "the time say nothing. Without the attribute, and instead of one that cannot be, the default "
     "of the standard counts."},
    {"Y041", "derivative of nothing",
     "derivative names the state: in FMI 2 its place among the variables from 1, in FMI 3 its "
     "valueReference. Both have the same type and dimensions."},
    {"Y042", "independent variable",
     "FMI 3 has exactly one, FMI 2 at most one: the time, a number with a point."},
    {"Y043", "clock or earlier value that is not there",
     "clocks names variables of type Clock, previous any variable, by valueReference."},
    {"Y044", "limits that cannot be", "min is at most max; a nominal value is finite and not 0."},
    {"Y045", "name that breaks the naming convention",
     "With variableNamingConvention=\"structured\" names are as in Modelica: tank.level, "
     "pipe[3].T, der(x), 'a name in quotes'. Without it any name is allowed."},
    {"Y050", "ModelStructure names what is not there",
     "In FMI 2 index and dependencies count the variables from 1, in FMI 3 they are "
     "valueReferences. Each variable stands once in each list."},
    {"Y051", "outputs of ModelStructure",
     "ModelStructure lists exactly the variables whose causality is output."},
    {"Y052", "state derivatives of ModelStructure",
     "Each derivative there says of which state it is, each state has one, and both are "
     "continuous. A warning where the FMU only offers co-simulation: nothing that runs it reads "
     "them."},
    {"Y053", "initial unknowns of ModelStructure",
     "They are the outputs, calculated parameters, states and state derivatives that are approx or "
     "calculated at the start. Takt calculates without the list; other tools may not."},
    {"Y054", "dependencies and their kinds",
     "dependenciesKind has one entry for each of dependencies; else it is left out."},
    {"Y055", "event indicators and clocked states",
     "Event indicators are continuous numbers; clocked states have previous and clocks. Indicators "
     "of an FMU that only offers co-simulation are a warning."},
    {"Y060", "terminal with an unknown variable",
     "Members of terminals are names of variables of modelDescription.xml. The member is left "
     "out."},
    {"Y061", "sources without buildDescription.xml",
     "FMI 3 describes in sources/buildDescription.xml how sources are compiled."},
    {"Y062", "source file that is missing or lies outside",
     "Sources and include folders are named relative to sources/."},
    {"Y070", "folder that cannot be written",
     "An FMU could not be unpacked: nothing of it is left behind."},
    {"Y071", "folder that is there already",
     "An FMU is unpacked to a folder that is not there, or is empty."},
    {"Y072", "sources that do not compile",
     "An FMU without a binary for this machine is compiled from its sources, by $CC and $CXX, else "
     "cc and c++."},
    {"Y073", "sources of which nothing says how they are compiled",
     "FMI 3 says so in sources/buildDescription.xml, FMI 2 lists <SourceFiles> of each interface."},
    {"Y074", "compiler option or library that is refused",
     "Options that choose how code is made are taken (-O, -D, -f, -m, -std=, -W), libraries by "
     "name."},
});
static_assert(is_sorted_by_code(rows));

}  // namespace

std::span<const CodeEntry> fmu_codes() { return rows; }

}  // namespace takt::codegen
