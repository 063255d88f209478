/** `npm run test:docs`: runs all documented commands. */
const { configuration, project } = require("../support/jest");

module.exports = configuration([project("docs")]);
