const { lazy } = require("./lazy");

module.exports = lazy(() => require("@npmcli/arborist/lib/index.js"));
