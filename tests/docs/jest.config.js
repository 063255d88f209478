/** `npm run test:docs`: runs all documented commands, and compiles the documented programs. */
const { configuration, project } = require("../support/jest");

module.exports = configuration([project("docs")]);
