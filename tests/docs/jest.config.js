/** `npm run test:docs`: runs the documented commands and the examples, and compiles the documented programs. */
const { configuration, project } = require("../support/jest");

module.exports = configuration([project("docs")]);
