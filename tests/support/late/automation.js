const { late } = require("./late");

module.exports = late(() => require("@pulumi/pulumi/automation/index.js"));
