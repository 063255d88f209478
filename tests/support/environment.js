const { TestEnvironment } = require("jest-environment-node");

/** The code of gRPC for a server that has ended. */
const unavailable = 14;

/**
 * The environment of Node for programs that run in the process of the test. When a failed run ends the engine while
 * such a program makes a call, Pulumi's SDK rejects a promise that nobody awaits. A process that runs only the
 * program reports it as an error of the run; here it would fail the test, or end the process.
 */
module.exports = class extends TestEnvironment {
    async handleTestEvent(event) {
        if (event.name === "error" && isEndOfEngine(event.error)) {
            event.promise?.catch(() => undefined);
        } else if (event.name === "run_finish") {
            await this.global.endAll?.();
        }
    }
};

const isEndOfEngine = (error) => error?.code === unavailable && error.message === "Resource monitor is terminating";
