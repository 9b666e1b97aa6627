/** An operator that does not exist: its line, its file, its list; and a field that only it files. */

export const line = `	WESTX: { balancingAuthority: "WSTX", aliases: ["WEST EXCHANGE"] },\n`;

/** A field of this operator alone: its line in the record, and its column. */
export const field = `	noise_class: filed(text("Noise class of the site, as filed"), {
		change: "field_update",
		sortable: true,
		filter: several(z.string()).optional().describe("Noise class of the site, as filed"),
	}),\n`;

export const migration = `-- Why: the noise class of a site.
alter table projects add column noise_class text;
alter table project_versions add column noise_class text;
`;

export const file = `/** West Exchange: one CSV of all requests. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { known } from "#libs/files/values.ts";
import { Collector, dataRows } from "../../sources/collector.ts";
import * as filed from "../../sources/filed-cells.ts";
import type { Operator, ParsedFile, RawFile } from "../../sources/source.ts";
import type { TableFields } from "../../sources/table-fields.ts";
import { standardTechnology } from "../../sources/technology.ts";

const url = "https://westx.example/queue.csv";

const meanings = {
	Study: { statusStd: "Active", studyPhase: "SIS", stage: "early" },
	Signed: { statusStd: "Active", studyPhase: "IA Executed", stage: "late" },
	Gone: { statusStd: "Withdrawn", studyPhase: null, stage: "early" },
} as const;
type Meaning = (typeof meanings)[keyof typeof meanings];

function fieldsOf(table: HeadedTable): TableFields<Meaning> {
	const status = table.column("State of request");
	const fuel = table.column("Fuel");
	return {
		queue_id: filed.by("number", filed.text(table.column("Request"))),
		name: filed.text(table.column("Plant")),
		developer: filed.text(table.column("Company")),
		county: filed.text(table.column("County")),
		state: filed.text(table.column("State")),
		type: filed.text(fuel),
		type_std: filed.from("technology.tokens", [fuel], (cell) => standardTechnology(known(cell)).typeStd),
		capacity_mw: filed.megawatts(table.column("MW")),
		queue_date: filed.day(table.column("Asked on")),
		cod: filed.day(table.column("Planned for")),
		noise_class: filed.text(table.column("Noise")),
		status: filed.text(status),
		status_std: filed.fact("list.stated", [status], ({ statusStd }) => statusStd),
		study_phase: filed.fact("list.stated", [status], ({ studyPhase }) => studyPhase),
		study_phase_filed: filed.text(status),
	};
}

async function parse(file: RawFile): Promise<ParsedFile> {
	const table = new HeadedTable(readCsv(file.bytes, file.name), [["Request"], ["State of request"]]);
	const fields = fieldsOf(table);
	const collector = new Collector();
	const read = collector.rowsOf(table, fields, { extras: [], sheet: false });
	for (const row of dataRows(table)) {
		const number = fields.queue_id.read(row);
		const status = known(row[table.column("State of request")]);
		const meaning = meanings[status as keyof typeof meanings] ?? meanings.Study;
		const evidence = { stage: meaning.stage, basis: "study-code", contradictory: false } as const;
		if (number === null) collector.drop("no number", null, "malformed");
		else collector.keep({ ...read(row, meaning), number, evidence });
	}
	return collector.parsed({ publishedOn: null });
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
			layout: { formats: "CSV", verified: "2026-03-01" },
			publication: { title: "Queue of requests", url },
			cadenceHours: 24,
			maxAgeHours: 48,
			maxBytes: 1024 * 1024,
			coverage: "all-status",
			phaseIsStatus: true,
			download: (http) => http.get(url, { conditional: true }),
			recognises: ({ bytes }) => csvHeaderNames(bytes).has("state of request"),
			parse,
			key: (number) => number.toUpperCase().replace(/^WX-0*/, "WX-"),
		},
	],
};
`;

const header = "Request,Plant,Company,County,State,Fuel,MW,Asked on,Planned for,State of request,Noise";

/** Forty requests; \`signed\`: of the first, whose number loses its zeros, and of the second, that it is gone. */
export function list(day: "first" | "second"): string {
	const others = Array.from(
		{ length: 38 },
		(_, at) => `WX-${at + 100},Mesa ${at},Mesa Power LLC,Luna,NM,Wind,${at + 50},2024-03-01,2028-06-01,Study,`,
	);
	const [number, ends, noise] = day === "first" ? ["WX-0012", "Study", "II"] : ["WX-12", "Gone", "III"];
	return [
		header,
		`${number},Saguaro Solar,Saguaro Energy LLC,Pima-Pinal,AZ,Solar,120,2023-05-02,2027-12-01,Signed,${noise}`,
		`WX-13,Big Smoky Storage,Smoky LLC,Nye,AZ,Battery,80,2024-01-09,2028-03-01,${ends},`,
		...others,
		"",
	].join("\n");
}
