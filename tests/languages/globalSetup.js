module.exports = () => Promise.all([require("./pythonPackages").install(), require("./goPackages").compile()]);
