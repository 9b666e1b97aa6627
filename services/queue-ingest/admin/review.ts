/**
 * Lists disputes and records decisions on them, in the running system's database:
 *
 *   review                                              open disputes, and filed names that nearly matched a developer
 *   review --show ID                                    one dispute, open or closed
 *   review --accept ID --author NAME --value VALUE --reason TEXT [--whole-name]
 *   review --refuse ID --author NAME --reason TEXT
 *   review --name "AS FILED" --author NAME --value VALUE --reason TEXT [--evidence https://...]
 *   review --corrections                                corrections in force
 *   review --take-back CORRECTION --author NAME --reason TEXT
 *
 * VALUE is a developer (number, name) or `none`; for a dispute about an identifier, the right identifier (`cik:1326160`) or `none`. Exit code: 0, or 1 if
 * the arguments are invalid or the command fails.
 */
import type { Sql } from "#libs/postgres/connect.ts";
import { readArguments, runProgram, UserError } from "#libs/service/program.ts";
import type { Decision } from "../quality/disputes/corrections.ts";
import { acceptDispute, correctName, refuseDispute, undoCorrection } from "../quality/disputes/settle.ts";
import {
	formatCorrections,
	formatDisputes,
	formatNameReviews,
	parseNumber,
	requireLine,
} from "../quality/disputes/waiting.ts";
import { connectAs } from "./shared/connect.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const options = {
	show: text,
	accept: text,
	refuse: text,
	name: text,
	"take-back": text,
	author: text,
	value: text,
	reason: text,
	evidence: text,
	corrections: flag,
	"whole-name": flag,
} as const;

export async function review(args: string[], env: NodeJS.ProcessEnv, now = () => new Date()): Promise<number> {
	const { values } = readArguments({ args, options });
	const chosen = (["show", "accept", "refuse", "name", "take-back", "corrections"] as const).filter(
		(name) => values[name],
	);
	if (chosen.length > 1) throw new UserError(`--${chosen.join(" and --")} cannot be combined`);
	await using sql = connectAs("review", env, 2);
	for (const line of await runCommand(sql, values, now)) console.log(line);
	return 0;
}

type Values = ReturnType<typeof readArguments<{ args: string[]; options: typeof options }>>["values"];

async function runCommand(sql: Sql, values: Values, now: () => Date): Promise<string[]> {
	const decision = (): Decision => ({
		author: requireLine("author", values.author, 100),
		at: now(),
		reason: requireLine("reason", values.reason, 1_000),
	});
	if (values.show !== undefined) return formatDisputes(sql, parseNumber("show", values.show));
	if (values.corrections) return formatCorrections(sql);
	if (values.accept !== undefined) {
		const id = parseNumber("accept", values.accept);
		const wholeName = values["whole-name"] === true;
		const correctionIds = await acceptDispute(sql, id, values.value?.trim(), { ...decision(), wholeName });
		return [`dispute ${id} accepted${correctionIds.map((correctionId) => `, correction ${correctionId}`).join("")}`];
	}
	if (values.refuse !== undefined) {
		const id = parseNumber("refuse", values.refuse);
		await refuseDispute(sql, id, decision());
		return [`dispute ${id} refused`];
	}
	if (values.name !== undefined) {
		const value = requireLine("value", values.value, 300);
		const evidenceUrl = values.evidence === undefined ? null : parseHttps(values.evidence);
		return [`correction ${await correctName(sql, values.name, value, { ...decision(), evidenceUrl })}`];
	}
	if (values["take-back"] !== undefined) {
		const id = parseNumber("take-back", values["take-back"]);
		await undoCorrection(sql, id, decision());
		return [`correction ${id} taken back`];
	}
	const [disputes, names] = [await formatDisputes(sql), await formatNameReviews(sql)];
	return [
		disputes.length === 0 ? "No dispute is open." : "Open disputes",
		...disputes,
		names.length === 0 ? "No names to review." : "Names that were nearly matched",
		...names,
	];
}

function parseHttps(value: string): string {
	if (URL.parse(value)?.protocol !== "https:" || value.length > 500)
		throw new UserError("--evidence must be an https URL of at most 500 characters");
	return value;
}

if (import.meta.main) await runProgram("review", review);
