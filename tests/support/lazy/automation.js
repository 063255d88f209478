const { lazy } = require("./lazy");

module.exports = lazy(() => require("@pulumi/pulumi/automation/index.js"));
