import { measureReads } from "./reads.ts";
import { render } from "./report.ts";
import { startBench } from "./system.ts";
await using bench = await startBench(console.log);
const t = performance.now();
const rows = await measureReads(bench, (l) => console.log(((performance.now() - t) / 1000).toFixed(1), l));
console.log(render(rows));
for (const r of rows) console.log(r.measure, r.ours.map(Math.round), r.baseline.map(Math.round));
