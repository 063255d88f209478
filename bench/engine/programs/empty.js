// A dynamic provider that does nothing: what Pulumi alone takes.
const pulumi = require("@pulumi/pulumi");

const provider = {
    create: ({ name, cpuMillis, memoryGbs }) => Promise.resolve({ id: name, outs: { name, cpuMillis, memoryGbs } }),
};

class Nothing extends pulumi.dynamic.Resource {
    constructor(name) {
        super(provider, name, { name, cpuMillis: 500, memoryGbs: 2 });
    }
}

for (let index = 0; index < Number(process.env.BENCH_SERVICES); index++) {
    new Nothing(`service-${index}`);
}
