module.exports = () => require("./pythonPackages").remove();
