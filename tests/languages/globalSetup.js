module.exports = async () => {
    await Promise.all([require("./userSdks").generate(), require("./goPackages").compile()]);
};
