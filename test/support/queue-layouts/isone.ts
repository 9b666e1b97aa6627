import type { Cell } from "#libs/files/values.ts";
import { csv, json } from "../file-formats.ts";
import type { QueueRow } from "../queue-files.ts";
import { day, grid, type Layout, plain, type Record_, sheet, slashed, when, xlsx } from "./layout.ts";

const isoneHeaders = [
	...["Position", "Updated", "Type", "Requested", "Alternative Name", "Unit", "Fuel Type", "Net MW", "Summer MW"],
	...["Winter MW", "County", "State", "Op Date", "Sync Date", "W/ D Date", "Interconnection Location", "Serv"],
	...["SIS Complete", "I39", "TO Report", "Dev", "Zone", "FS", "SIS", "OS", "FAC", "IA", "Project Status"],
];
const isoneFuels = { Solar: "SUN", Wind: "WND", Storage: "BAT", Gas: "NG" };

const isoneRecord = (row: QueueRow): Record_ => ({
	Position: Number(row.number),
	Updated: day("2026-06-17"),
	Type: "G",
	Requested: day(row.queueDate),
	"Alternative Name": row.name,
	Unit: { Solar: "PV", Wind: "WT", Storage: "OT", Gas: "CC" }[row.fuel],
	"Fuel Type": isoneFuels[row.fuel],
	"Net MW": row.mw,
	"Summer MW": row.mw,
	"Winter MW": row.mw,
	County: row.county,
	State: row.state,
	"Op Date": day(row.status === "operational" ? row.ended : row.cod),
	"W/ D Date": day(when(row, "withdrawn")),
	"Interconnection Location": row.poi,
	Serv: "CNR",
	"SIS Complete": false,
	I39: false,
	Zone: "SEMA",
	SIS: "In Progress",
	"Project Status": {
		active: "Under Study",
		suspended: "Suspended",
		operational: "In Service",
		withdrawn: "Under Study",
	}[row.status],
});

const isoneBanner = (publishedOn: string): Cell[][] => [
	["Interconnection Requests for New England Control Area", null, null, `As of: ${slashed(publishedOn)} 12:00:00 AM`],
	["Generation, Elective Transmission Upgrade and Transmission Service Requests"],
	["Jurisdiction:", "All", "Status:", "All"],
	[],
];

/** The web page: shorter headers than the export's, and icons where it has words for the studies. */
function isonePage(rows: readonly QueueRow[], publishedOn: string): Buffer {
	const shorter: Record<string, string> = {
		...{
			Position: "QP",
			State: "ST",
			"W/ D Date": "W/D Date",
			"Interconnection Location": "POI",
			"SIS Complete": "SIS",
		},
	};
	const [header = [], ...body] = grid(rows.map(isoneRecord), isoneHeaders);
	const icons = new Set(
		["SIS Complete", "I39", "FS", "SIS", "OS", "FAC", "IA"].map((name) => isoneHeaders.indexOf(name)),
	);
	const escaped = (words: string) => words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
	const cell = (value: Cell, at: number) => {
		const words = value instanceof Date ? slashed(value.toISOString().slice(0, 10)) : escaped(String(value ?? ""));
		if (!icons.has(at)) return `<td>${words}</td>`;
		return words === "" || words === "false" ? "<td></td>" : `<td><img src="/icon.png" title="${words}"></td>`;
	};
	const lines = body.map((row) => `<tr>${row.map(cell).join("")}</tr>\n`);
	return Buffer.from(`<!DOCTYPE html>
<html><head><title>Public Queue</title></head><body><h3>As of: ${slashed(publishedOn)} 12:00:00 AM</h3>
<table class="display" id="publicqueue"><thead><tr>
${header.map((name) => `<th>${shorter[String(name)] ?? name}</th>`).join("")}
</tr></thead><tbody>
${lines.join("")}</tbody></table>
</body></html>
`);
}

export const isone: Layout = {
	number: (n) => String(1000 + n),
	statuses: ["active", "suspended", "operational", "withdrawn"],
	places: [
		["Essex", "MA"],
		["Kent", "RI"],
		["Hartford", "CT"],
		["York", "ME"],
	],
	files: {
		html: plain("external", isonePage),
		xlsx: xlsx("QueueReport.xlsx", (rows, publishedOn) => [
			sheet("Queue", isoneBanner(publishedOn), rows.map(isoneRecord), isoneHeaders),
		]),
		csv: plain("raw_isone.csv", (rows) => csv(grid(rows.map(isoneRecord), isoneHeaders))),
		json: plain("raw_isone.json", (rows) => json(grid(rows.map(isoneRecord), isoneHeaders))),
	},
};
