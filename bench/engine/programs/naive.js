// A dynamic provider as a team writes it in an afternoon: a request for each call of Pulumi, and one for each look.
const pulumi = require("@pulumi/pulumi");

const pauseMs = 5_000;

async function call(method, id, body) {
    const { CLOUDDB_ACCESS_TOKEN: token, CLOUDDB_BASE_URL: base, CLOUDDB_PROJECT_ID: project } = process.env;
    const answer = await fetch(`${base}/projects/${project}/services${id === undefined ? "" : `/${id}`}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400 && answer.status !== 404) {
        throw new Error(`${method} ${answer.status}: ${await answer.text()}`);
    }
    return { status: answer.status, item: answer.headers.get("content-type") ? await answer.json() : undefined };
}

async function wait(id, isDone) {
    while (!isDone(await call("GET", id))) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
}

const provider = {
    create: async ({ name, cpuMillis, memoryGbs }) => {
        const body = { name, cpu_millis: String(cpuMillis), memory_gbs: String(memoryGbs) };
        const { item } = await call("POST", undefined, body);
        await wait(item.service_id, (answer) => answer.item?.status === "READY");
        return { id: item.service_id, outs: { name, cpuMillis, memoryGbs } };
    },
    read: async (id, props) => {
        const { item } = await call("GET", id);
        const { cpu_millis: cpuMillis, memory_gbs: memoryGbs } = item.resources[0].spec;
        return { id, props: { ...props, name: item.name, cpuMillis, memoryGbs } };
    },
    delete: async (id) => {
        await call("DELETE", id);
        await wait(id, ({ status }) => status === 404);
    },
};

class NaiveService extends pulumi.dynamic.Resource {
    constructor(name) {
        super(provider, name, { name, cpuMillis: 500, memoryGbs: 2 });
    }
}

for (let index = 0; index < Number(process.env.BENCH_SERVICES); index++) {
    new NaiveService(`service-${index}`);
}
