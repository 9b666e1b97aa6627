/**
 * `npm run faults`: every fault, and docs/reliability.md written from what became of it.
 *
 *     npm run faults -- [--only PATTERN] [--hold SECONDS] [--rate REQUESTS] [--print]
 *
 * `--only callers` tries greedy callers instead, and only says what another one notices of them (docs/capacity.md has it).
 * With --only the other rows stay as they are; with --print the document stays. Ends with 1 when anything was lost, doubled, answered as it
 * must not be, or is another when it is computed again.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../../deploy/local/data-dir.ts";
import { probeShares, shareProbes } from "../shares/probes.ts";
import { type CampaignOptions, openSeries } from "./campaign.ts";
import { faults, fullDisks, oneOfThree } from "./faults.ts";
import { whyNoSmallDisk } from "./small-disk.ts";
import { isGood, rowOf, writeTable } from "./table.ts";
import type { Fault, Result } from "./trial.ts";

const { values } = parseArgs({
	options: {
		only: { type: "string" },
		hold: { type: "string", default: "8" },
		rate: { type: "string", default: "45" },
		print: { type: "boolean", default: false },
	},
});
const holdMs = Number(values.hold) * 1_000;
const rate = Number(values.rate);
const pattern = new RegExp(values.only ?? "");
const document = join(root, "docs", "reliability.md");

const results: Result[] = [];
let failures = 0;

async function tryAll(wanted: readonly Fault[], system: CampaignOptions = {}): Promise<void> {
	await using series = openSeries({ holdMs, rate, ...system });
	for (const fault of wanted)
		try {
			const result = await series.try(fault);
			results.push(result);
			say(rowOf(result));
		} catch (error) {
			failures++;
			say(`${fault.name}: ${error instanceof Error ? error.message : error}`);
		}
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}

const chosen = (fault: Fault) => pattern.test(fault.name);
await tryAll(faults.filter(chosen));
await tryAll(oneOfThree.filter(chosen), { natsNodes: 3 });
const reason = whyNoSmallDisk();
const onSmallDisk = fullDisks.filter(chosen);
if (reason === undefined) await tryAll(onSmallDisk, { diskMb: 700 });
else for (const { name } of onSmallDisk) say(`SKIPPED: ${name}: ${reason}`);
failures += await probeShares(
	shareProbes.filter(({ name }) => pattern.test(name)),
	say,
);

if (!values.print) {
	const today = new Date().toISOString().slice(0, 10);
	const arguments_ = process.argv
		.slice(2)
		.map((word) => (word.includes(" ") ? `"${word}"` : word))
		.join(" ");
	const command = `npm run faults${arguments_ && ` -- ${arguments_}`}`;
	const note = `Written by \`${command}\` on ${today}, on a machine of ${cpus().length} cores.`;
	if (results.length > 0) writeTable(document, results, note, values.only !== undefined);
}
process.exit(failures === 0 && results.every(isGood) ? 0 : 1);
