/** `npm test`: all tests that belong to no other suite, see CONTRIBUTING.md. */
const { configuration, project } = require("./tests/support/jest");

module.exports = configuration(
    ["unit", "contract", "properties", "model", "built", "faults", "engine", "postgres"].map((name) => project(name)),
);
