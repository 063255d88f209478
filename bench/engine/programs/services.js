// The services of this package, on the host whose name it has.
const { Service } = require(process.env.BENCH_PACKAGE);

for (let index = 0; index < Number(process.env.BENCH_SERVICES); index++) {
    const name = `service-${index}`;
    new Service(name, { name, cpuMillis: 500, memoryGbs: 2, deletionProtection: false });
}
