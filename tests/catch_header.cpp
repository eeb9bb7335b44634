// Carrier of the precompiled catch.hpp that every test reuses.
