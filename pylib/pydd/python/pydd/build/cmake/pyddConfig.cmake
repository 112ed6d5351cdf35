# pydd_add_module(NAME SOURCE [CPU name] [OPTIONS option...] [DESTINATION folder])
#
# Adds the target NAME, part of `all`: the module NAME.abi3.so and its stub NAME.pyi in the current binary folder, made of the
# .pydd file SOURCE, anew where a file has changed that it was made of. CPU is what `--cpu` takes [portable].
# OPTIONS are others of `pyddc`. With DESTINATION both files are installed there, as the package's folder in a wheel.

cmake_minimum_required(VERSION 3.20)

# Of the installation that this file belongs to: PREFIX/lib/pythonX.Y/site-packages/pydd/build/cmake, or a folder of `pip install --target`.
find_program(PYDDC pyddc REQUIRED HINTS
  "${CMAKE_CURRENT_LIST_DIR}/../../../../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../bin")

function(pydd_add_module name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "CPU;DESTINATION" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "pydd_add_module(${name}): ${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES} is not understood")
  endif()
  if(NOT arg_CPU)
    set(arg_CPU portable)
  endif()
  cmake_path(ABSOLUTE_PATH source NORMALIZE)
  set(made "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  # Tracebacks name the source as seen from the folder above all.
  file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${source}")
  add_custom_command(
    OUTPUT "${made}.abi3.so" "${made}.pyi"
    COMMAND "${PYDDC}" "${source}" "--emit=pyi" -o "${made}.pyi"
    COMMAND "${PYDDC}" "${source}" "--cpu=${arg_CPU}" ${arg_OPTIONS} -o "${made}.abi3.so" --depfile "${made}.d"
    DEPENDS "${source}" "${PYDDC}"
    DEPFILE "${made}.d"
    COMMENT "Compiling ${shown}"
    VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${made}.abi3.so" "${made}.pyi")
  if(DEFINED arg_DESTINATION)
    install(PROGRAMS "${made}.abi3.so" DESTINATION "${arg_DESTINATION}")
    install(FILES "${made}.pyi" DESTINATION "${arg_DESTINATION}")
  endif()
endfunction()
