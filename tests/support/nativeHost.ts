// For the jest project that runs the engine tests on the native plugin.
process.env.CLOUDDB_TEST_HOST = "native";
