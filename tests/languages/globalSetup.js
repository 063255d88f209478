module.exports = () => require("./pythonPackages").install();
