/** Writes the drawn requests as a document. Pure. */
import { type Region, regions } from "../../libs/contract/vocabulary.ts";
import type { Drawn, Judged } from "./drawn.ts";
import type { Links } from "./links.ts";
import type { HandRead } from "./read-by-hand.ts";
import type { Figure } from "./table.ts";

const shown = ["capacity_mw", "queue_date", "cod", "status", "developer", "county"] as const;

export function documentOf(
	drawn: readonly Drawn[],
	read: readonly HandRead[],
	figures: readonly Figure[] = [],
	links: Links | null = null,
	tops: Readonly<Record<string, readonly HandRead[]>> = {},
): string {
	const verdicts = drawn.flatMap(({ fields }) => fields);
	const wrong = drawn.filter(isWrong);
	const lines = [
		"# Truth",
		"",
		"Written by `npm run truth -- --data DIR --write` from the operators' real files: read, never edit.",
		"",
		...(figures.length === 0
			? []
			: [
					"## What a paying user checks first",
					"",
					...tableOf(
						["", "before", "now"],
						figures.map(({ what, before, now }) => [what, before ?? "", now]),
					),
					"",
				]),
		...(links === null ? [] : ofLinks(links)),
		...Object.entries(tops).flatMap(([list, rows]) => ofTop(list, rows)),
		...ofRead(read),
		"## Twenty requests of each operator",
		"",
		`Drawn at random from what the newest lists show, and compared field by field with the row of the operator's file by a reader that shares no code with the service's adapters. ${drawn.length - wrong.length} of ${drawn.length} are right or rightly unknown in every field; of ${verdicts.length} fields ${tally(verdicts, "right")} are right, ${tally(verdicts, "unknown")} rightly unknown, ${tally(verdicts, "wrong")} wrong. "Rightly unknown": the file has no such column, or an empty cell. A cell of the table is what is answered; where the file writes it otherwise, its raw cell stands behind the stroke.`,
		"",
		...regions.flatMap((region) => ofRegion(region, drawn)),
		"## What is wrong",
		"",
		...(wrong.length === 0
			? ["Nothing."]
			: wrong.flatMap(({ id, fields }) =>
					fields
						.filter(({ verdict }) => verdict === "wrong")
						.map(
							({ field, answer, cell }) =>
								`- ${id}, ${field}: \`${answer ?? "null"}\` is answered, \`${cell}\` stands in the file.`,
						),
				)),
	];
	return `${lines.join("\n")}\n`;
}

function ofLinks({ byOperator, wrong, missed }: Links): string[] {
	const share = (part: number | null, mw: number) =>
		part === null || mw === 0 ? "" : `${((100 * part) / mw).toFixed(1)} %`;
	return [
		"## Who is behind open requests of late stage",
		"",
		"In % of their MW. The most that could be found counts any plant at hand that agrees loosely, and any address. The links that were read are drawn at random, by operator and method, from those of open requests, and judged by the facts of both sides (`tools/truth/links-by-hand.csv`); of some the files do not tell, and some lead to another plant now.",
		"",
		...tableOf(
			[
				"",
				"requests",
				"MW",
				"most",
				"with a developer",
				"or a filed company",
				"links read",
				"right",
				"wrong",
				"unknown",
				"changed",
			],
			byOperator.map(({ region, requests, mw, ceilingMw, developerMw, companyMw, read }) => [
				...[region, String(requests), Math.round(mw).toLocaleString("en-US")],
				...[share(ceilingMw, mw), share(developerMw, mw), share(companyMw, mw)],
				...[
					read.right + read.wrong + read.unknown + read.changed,
					read.right,
					read.wrong,
					read.unknown,
					read.changed,
				].map(String),
			]),
		),
		"",
		...wrong.map(({ request, plant, why }) => `- ${request}, plant ${plant}: ${why}`),
		...(wrong.length === 0 ? [] : [""]),
		"The largest without a developer or a filed company:",
		"",
		...tableOf(
			["request", "MW", "plant", "why"],
			missed.map(({ id, mw, called, why }) => [id, String(mw), called, why]),
		),
		"",
	];
}

const countOf = (read: readonly HandRead[]) => (wanted: HandRead["verdict"]) =>
	read.filter(({ verdict }) => verdict === wanted).length;

function ofTop(list: string, read: readonly HandRead[]): string[] {
	const count = countOf(read);
	return [
		`## The first fifty of ${list}, read by hand`,
		"",
		`${count("right")} of ${read.length} are right, ${count("wrong")} wrong, ${count("unknown")} unknown; of ${count("read again")} something else is said than when they were read.`,
		"",
		...tableOf(
			["", "name", "what we say", "verdict", "why"],
			read.map(({ id, plant, says, verdict, why }) => [id, plant, says, verdict, why]),
		),
		"",
	];
}

function ofRead(read: readonly HandRead[]): string[] {
	const count = countOf(read);
	return [
		"## Twenty suspicious requests of each operator, read by hand",
		"",
		`Chosen because something said of them is most likely false: the largest, the oldest, dates that have passed, names of running plants, hybrids, repowers. ${count("right")} of ${read.length} are right, ${count("wrong")} wrong; of ${count("unknown")} the files do not tell. ${count("read again")} say something else than when they were read.`,
		"",
		...tableOf(
			["request", "plant", "what we say", "what the file and the EIA say", "verdict", "why"],
			read.map(({ id, plant, says, filed, verdict, why }) => [id, plant, says, filed, verdict, why]),
		),
		"",
	];
}

const isWrong = ({ fields }: Drawn): boolean => fields.some(({ verdict }) => verdict === "wrong");
const tally = (fields: readonly Judged[], verdict: Judged["verdict"]): number =>
	fields.filter((field) => field.verdict === verdict).length;

function ofRegion(region: Region, drawn: readonly Drawn[]): string[] {
	const own = drawn.filter((each) => each.region === region);
	if (own.length === 0) return [];
	const rows = own.map((each) => {
		const field = (name: Judged["field"]) => cellOf(each.fields.find((judged) => judged.field === name));
		const state = `${field("status_std")}${each.basis === null ? "" : `, ${each.basis}`}`;
		const counts = (["right", "unknown", "wrong"] as const).map((verdict) => tally(each.fields, verdict)).join(" / ");
		return [each.id, ...shown.map(field), state, each.lbnl ?? "", each.eia ?? "", counts];
	});
	const files = [
		...new Set(own.flatMap(({ file }) => file.split("; ").map((part) => part.split(", ")[0] ?? ""))),
	].filter((file) => file !== "");
	return [
		`### ${region}`,
		"",
		`Files: ${files.sort().join(", ")}.`,
		"",
		...tableOf(["request", ...shown, "status_std, what it rests on", "LBNL", "EIA", "right / unknown / wrong"], rows),
		"",
	];
}

function cellOf(judged: Judged | undefined): string {
	if (judged === undefined) return "";
	const { answer, cell, verdict } = judged;
	const text = answer === null ? "" : String(answer);
	const raw = cell === text || (verdict === "right" && Number(cell) === answer) ? "" : ` / ${cell}`;
	return `${text}${raw}${verdict === "wrong" ? " **wrong**" : ""}`;
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	return [line(header), line(header.map(() => "---")), ...rows.map(line)];
}
