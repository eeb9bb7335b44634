// takt_dbc_codecs DBC NAMESPACE OUT.hpp: codecs of all messages of a CAN database, for programs that speak on a bus.
#include <fstream>
#include <iostream>

#include "codegen/dbc/emit_codec.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: takt_dbc_codecs FILE.dbc NAMESPACE OUT.hpp\n";
    return 2;
  }
  takt::codegen::Diagnostics diagnostics;
  const auto dbc = takt::codegen::load_dbc(argv[1], diagnostics);
  std::cerr << diagnostics.render();
  if (!dbc || diagnostics.has_errors()) return 1;
  std::ofstream out(argv[3], std::ios::binary);
  out << takt::codegen::emit_codecs(*dbc, argv[2]).bytes();
  out.close();
  if (!out) {
    std::cerr << "takt_dbc_codecs: cannot write " << argv[3] << "\n";
    return 1;
  }
  return 0;
}
