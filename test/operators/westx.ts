/** An operator that does not exist: its line, its file, its list. */

export const line = `	WESTX: { balancingAuthority: "WSTX", aliases: ["WEST EXCHANGE"] },\n`;

export const file = `/** West Exchange: one CSV of all requests. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { date, known, megawatts } from "#libs/files/values.ts";
import { Collector, dataRows, rawReader } from "../../sources/collector.ts";
import type { Operator, ParsedFile, RawFile } from "../../sources/source.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { unfiled } from "../../sources/unfiled.ts";

const url = "https://westx.example/queue.csv";
const maxBytes = 1024 * 1024;

const meanings = {
	Study: { statusStd: "Active", studyPhase: "SIS", stage: "early" },
	Signed: { statusStd: "Active", studyPhase: "IA Executed", stage: "late" },
	Gone: { statusStd: "Withdrawn", studyPhase: null, stage: "early" },
} as const;

async function parse(file: RawFile): Promise<ParsedFile> {
	const table = new HeadedTable(readCsv(file.bytes, file.name), [["Request"], ["State of request"]]);
	const at = {
		number: table.column("Request"),
		name: table.column("Plant"),
		developer: table.column("Company"),
		county: table.column("County"),
		state: table.column("State"),
		fuel: table.column("Fuel"),
		mw: table.column("MW"),
		asked: table.column("Asked on"),
		planned: table.column("Planned for"),
		status: table.column("State of request"),
	};
	const raw = rawReader(table, []);
	const rows = dataRows(table);
	const collector = new Collector();
	for (const row of rows) {
		const number = known(row[at.number]);
		const status = known(row[at.status]);
		if (number === null) collector.drop("no number", null, "malformed");
		else {
			const { stage, ...meaning } = meanings[status as keyof typeof meanings] ?? meanings.Study;
			collector.keep({
				...unfiled,
				...meaning,
				number,
				name: known(row[at.name]),
				developer: known(row[at.developer]),
				county: known(row[at.county]),
				state: known(row[at.state]),
				type: known(row[at.fuel]),
				typeStd: standardTechnology(known(row[at.fuel])).typeStd,
				capacityMw: megawatts(row[at.mw]),
				queueDate: date(row[at.asked]),
				cod: date(row[at.planned]),
				status,
				studyPhaseFiled: status,
				evidence: { stage, basis: "study-code", contradictory: false },
				raw: raw(row),
			});
		}
	}
	return collector.parsed({ publishedOn: null, rowsIn: rows.length, unknownColumns: table.leftovers() });
}

export const operator: Operator = {
	publisher: "West Exchange",
	licence: "Free to use with attribution",
	states: ["AZ", "NM", "NV"],
	joinsByHyphen: true,
	lists: [
		{
			feed: "westx-queue",
			region: "WESTX",
			title: "West Exchange queue (CSV)",
			publication: { title: "Queue of requests", url },
			cadenceHours: 24,
			maxAgeHours: 48,
			maxBytes,
			coverage: "all-status",
			phaseIsStatus: true,
			download: (http) => http.get(url, { conditional: true, maxBytes }),
			recognises: ({ bytes }) => csvHeaderNames(bytes).has("state of request"),
			parse,
			key: (number) => number.toUpperCase().replace(/^WX-0*/, "WX-"),
		},
	],
};
`;

const header = "Request,Plant,Company,County,State,Fuel,MW,Asked on,Planned for,State of request";

/** Forty requests; \`signed\`: of the first, whose number loses its zeros, and of the second, that it is gone. */
export function list(day: "first" | "second"): string {
	const others = Array.from(
		{ length: 38 },
		(_, at) => `WX-${at + 100},Mesa ${at},Mesa Power LLC,Luna,NM,Wind,${at + 50},2024-03-01,2028-06-01,Study`,
	);
	const [number, ends] = day === "first" ? ["WX-0012", "Study"] : ["WX-12", "Gone"];
	return [
		header,
		`${number},Saguaro Solar,Saguaro Energy LLC,Pima-Pinal,AZ,Solar,120,2023-05-02,2027-12-01,Signed`,
		`WX-13,Big Smoky Storage,Smoky LLC,Nye,AZ,Battery,80,2024-01-09,2028-03-01,${ends}`,
		...others,
		"",
	].join("\n");
}
