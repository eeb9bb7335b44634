# Fuzz programs, in the fuzz preset: libFuzzer drives the parser; the folder corpus/ beside the source seeds it.
#   cmake --preset fuzz && cmake --build --preset fuzz && tools/hunt/fuzz.sh 600
# takt_fuzz(FOLDER NAME LIBS ...): tests/FOLDER/NAME.cpp defines LLVMFuzzerTestOneInput.
add_custom_target(fuzz)

function(takt_fuzz folder name)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${name}.cpp)
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/corpus/${name})
  set(grown ${CMAKE_BINARY_DIR}/corpus/${name})
  file(MAKE_DIRECTORY ${grown})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE ${ARGN} takt_options)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz ${name})
  # What a run finds worth keeping goes to the build tree, seeds are read only.
  set(folders ${grown})
  if(EXISTS ${corpus})
    list(APPEND folders ${corpus})
  endif()
  add_test(NAME ${name} COMMAND ${name} -max_total_time=10 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 ${folders})
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 120 WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  file(APPEND ${CMAKE_BINARY_DIR}/fuzz_programs.txt "${name} ${folders}\n")
endfunction()

file(WRITE ${CMAKE_BINARY_DIR}/fuzz_programs.txt "")

takt_fuzz(codegen/text fuzz_expression takt::text)
takt_fuzz(codegen/model fuzz_plant takt::model)
target_compile_definitions(fuzz_plant PRIVATE TAKT_LIBRARY_FOLDER="${CMAKE_SOURCE_DIR}/config/library")
takt_fuzz(codegen/dbc fuzz_dbc takt::rig)
takt_fuzz(runtime/io fuzz_socketcand takt::io_can)
takt_fuzz(runtime/io fuzz_slcan takt::io_can)
takt_fuzz(tools fuzz_can_log takt::io_can)
target_sources(fuzz_can_log PRIVATE ${CMAKE_SOURCE_DIR}/tools/takt/can_log.cpp)
takt_fuzz(runtime/tap fuzz_tap takt::tap takt::solver)
takt_fuzz(runtime/scenario fuzz_scenario takt::scenario)
takt_fuzz(runtime/io/record fuzz_mdf takt::io_record)
