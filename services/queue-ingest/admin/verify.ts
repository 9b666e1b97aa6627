/**
 * Checks a sample of values against the archived files, in the running system's database:
 *
 *   verify --sample 1000 [--seed WORD]
 *
 * Prints a line for each value that differs. Exit code: 0 if all agree, 3 if some do not, 1 if no value could be read.
 */
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import { verifySample } from "../provenance/verify-sample.ts";
import { connectAs } from "./shared/connect.ts";

const maxSample = 100_000;

export async function verify(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
	const { values } = readArguments({
		args,
		options: { sample: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
	});
	const sample = Number(values.sample);
	if (!Number.isInteger(sample) || sample < 1 || sample > maxSample)
		throw new UserError(`--sample must be a whole number from 1 to ${maxSample}`);
	await using sql = connectAs("verify", env, 2);
	const counts = { values: 0, agree: 0, disagree: 0, damaged: 0 };
	for await (const value of verifySample(sql, sample, values.seed)) {
		counts.values++;
		if (value.archive === "damaged") counts.damaged++;
		else if (value.agrees) counts.agree++;
		else counts.disagree++;
		if (!value.agrees) console.log(JSON.stringify(value));
	}
	console.log(JSON.stringify(counts));
	if (counts.values === 0) return 1;
	return counts.agree === counts.values ? 0 : 3;
}

if (import.meta.main) await runProgram("verify", verify);
