const { lazy } = require("./lazy");

module.exports = lazy(() => require("typescript"));
