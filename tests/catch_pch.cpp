// Only there to build the precompiled catch.hpp that every test reuses.
