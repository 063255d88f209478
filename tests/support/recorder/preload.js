// For `node --require`: appends each call of the engine to a provider to the file CLOUDDB_RECORD, as one line of JSON. The
// services of both hosts are added to a server of the gRPC library, so the recorder wraps their methods there.
const { appendFileSync } = require("node:fs");
const { Server } = require("@grpc/grpc-js");

const file = process.env.CLOUDDB_RECORD;
const resourceProvider = "/pulumirpc.ResourceProvider/";

/** The properties in each request. Without secrets, the dynamic host gets plain values. */
const propertiesOf = {
    check: (request) => ({ olds: request.getOlds(), news: request.getNews() }),
    diff: (request) => ({ olds: request.getOlds(), news: request.getNews() }),
    create: (request) => ({ news: request.getProperties() }),
    update: (request) => ({ olds: request.getOlds(), news: request.getNews() }),
    read: (request) => ({ olds: request.getProperties() }),
    delete: (request) => ({ olds: request.getProperties() }),
};

/** The URN of the provider that this process serves. The dynamic host does not report it. */
let provider = "dynamic";

function recording(method, call) {
    return (invocation, callback) => {
        const { request } = invocation;
        const properties = Object.entries(propertiesOf[method](request)).map(([name, struct]) => [
            name,
            struct?.toJavaScript() ?? {},
        ]);
        const described = {
            provider,
            method,
            urn: request.getUrn(),
            id: request.getId?.() ?? "",
            ...Object.fromEntries(properties),
        };
        call(invocation, (error, response, ...rest) => {
            const created = method === "create" ? response?.getId() : undefined;
            const found =
                method === "diff" && response
                    ? { replaces: response.getReplacesList().length > 0, first: response.getDeletebeforereplace() }
                    : {};
            appendFileSync(file, `${JSON.stringify({ ...described, created, ...found, failed: Boolean(error) })}\n`);
            callback(error, response, ...rest);
        });
    };
}

if (file !== undefined) {
    const { addService } = Server.prototype;
    Server.prototype.addService = function (service, implementation) {
        if (service.check?.path.startsWith(resourceProvider)) {
            const { configure } = implementation;
            implementation.configure = (invocation, callback) => {
                provider = invocation.request.getUrn?.() || provider;
                configure.call(implementation, invocation, callback);
            };
            for (const method of Object.keys(propertiesOf)) {
                implementation[method] = recording(method, implementation[method].bind(implementation));
            }
        }
        return addService.call(this, service, implementation);
    };
}
