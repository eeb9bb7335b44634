#pragma once
// takt import: tools/takt/takt_import.cpp.

namespace takt::tools {

int import_command(int argc, char** argv);  ///< a model in another language -> plant folder

}  // namespace takt::tools
