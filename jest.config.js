/** `npm test`: everything except the native plugin, other languages, documentation, examples and the packed package. */
const { configuration, project } = require("./tests/support/jest");

module.exports = configuration(
    ["unit", "contract", "properties", "model", "built", "faults", "engine", "browser", "postgres"].map((name) =>
        project(name),
    ),
);
