const { lazy } = require("./lazy");

module.exports = lazy(() => require("js-yaml/index.js"));
