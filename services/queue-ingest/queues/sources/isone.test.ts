import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutOrigins } from "../../sources/collector.ts";
import type { FiledRequest, ParsedFile, RawFile } from "../../sources/source.ts";
import { standardise } from "../standardise.ts";
import { isone, operator } from "./isone.ts";

const file = (text: string, name: string): RawFile => ({ name, bytes: new TextEncoder().encode(text) });

const headers =
	"Position,Updated,Type,Requested,Alternative Name,Unit,Fuel Type,Net MW,Summer MW,Winter MW,County,State,Op Date,Sync Date,W/ D Date,Interconnection Location,Serv,SIS Complete,I39,TO Report,Dev,Zone,FS,SIS,OS,FAC,IA,Project Status";

const rows = [
	"1592,2024-08-21 13:39:40.328,G,2024-08-21,SHELD BESS,OT,BAT,3.00,3.00,3.00,Hampden,MA,2025-09-01,2025-08-01,,South Hadley,NA,False,False,,PD,WMA,,,,,,",
	"1116,2026-06-17 16:54:41.913,G,2021-04-13,SouthCoast Wind 1,WT,WND,0.00,1200.00,1200.00,Bristol,MA,2031-12-31,2030-05-01,,Brayton Point,NR,True,True,ISO-NE,PD,RI,Document Posted,Document Posted,,,Executed,Under Study",
	"900,2020-01-01,G,2019-01-01,Gone Solar,PV,SUN,5.5,,,Kent,RI,2021-01-01,,2020-06-01,Davisville,CNR,False,False,,,RI,,In Progress,,,,Under Study",
	"8,,G,1997-07-15,ANP Unit 1,CC,DFO NG,,,,Norfolk,MA,2002-10-24,,,Line,MIS,True,True,,,SEMA,,,,,,In Service",
	"1600,2025-01-10,G,2024-12-12,Chazy Lake BESS (NYISO-C24-308),OT,BAT,50,50,50,Clinton,NY,2028-08-01,,,Patnode,CNR,False,False,,,N/A,,,,,,",
	"1313,,ETU,2022-01-01,NY ETU,NA,N/A,,,,,NY,2028-08-01,,,Moses,NI,False,False,,,N/A,Not Started,,,,,Under Construction",
];
const csv = file(`${[headers, ...rows].join("\n")}\n`, "raw_isone.csv");

/** The same requests as the web page shows them: fewer words in the header, icons for the studies, two columns more. */
function page(rows: string[]): RawFile {
	const names =
		"Cluster,QP,Updated,Type,Requested,Alternative Name,Unit,Fuel Type,Net MW,Summer MW,Winter MW,County,ST,Op Date,Sync Date,W/D Date,POI,Serv,SIS,I39,TO Report,Dev,Zone,FS,SIS,OS,FAC,IA,Project Status";
	const icon = (word: string) => (word === "" || word === "False" ? "" : `<img src="i.png" title="${word}">`);
	const body = rows.map((row) => {
		const cells = row.split(",").map((cell, at) => (at === 16 + 1 || at === 18 || at >= 22 ? icon(cell) : cell));
		return `<tr><td></td>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
	});
	const head = names.split(",").map((name) => `<th>${name}</th>`);
	const html = `<!DOCTYPE html><html><body><h3>As of: 10/1/2026 12:00:00 AM</h3><table class="x" id="publicqueue"><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></body></html>`;
	return file(html, "external.html");
}

function json(): RawFile {
	const names = headers.split(",");
	const records = rows.map((row) =>
		Object.fromEntries(
			row.split(",").map((cell, at) => {
				const name = names[at] ?? "";
				const typed = cell === "" ? null : / MW$|Position/.test(name) ? Number(cell) : cell;
				return [name, name === "SIS Complete" || name === "I39" ? cell === "True" : typed];
			}),
		),
	);
	return file(JSON.stringify(records), "raw_isone.json");
}

async function one(name: string): Promise<FiledRequest> {
	const request = (await isone.parse(csv)).requests.find((each) => each.name === name);
	if (!request) throw new Error(`no request ${name}`);
	return request;
}

describe("isone", () => {
	it("reads a request of the export", async () => {
		expect(await one("SouthCoast Wind 1")).toMatchObject({
			number: "1116",
			unit: "WT",
			kind: "generation",
			county: "Bristol",
			state: "MA",
			poi: "Brayton Point",
			service: "NR",
			type: "WND",
			typeStd: "Offshore Wind",
			status: "Under Study",
			statusStd: "Active",
			statusBasis: "filed",
			capacityMw: null,
			summerMw: 1200,
			queueDate: "2021-04-13",
			cod: "2031-12-31",
			iaStatusFiled: "Executed",
			studyPhase: "IA Executed",
			evidence: { stage: "late", basis: "agreement", contradictory: false },
		});
	});

	it.each([
		["Park City Offshore Wind CNR", "0.00", "capacity_rights", "West Barnstable", "CNR", 0],
		["Battery Storage Addition (to QP1086)", "0.00", "modification", "Section 80", "NR", 0],
		["Millstone 3 Upgrade", "", "modification", "Increase Existing Unit Capacity", "MIS", null],
		["Solar Increase", "5.00", "new", "Substation", "NR", 5],
	])("%s, of %j MW net, is of class %s", async (name, net, requestClass, poi, service, incrementalMw) => {
		const row = `99,,G,2021-01-13,${name},WT,WND,${net},838.2,838.2,Bristol,MA,2029-12-31,,,${poi},${service},,,,,,,,,,,`;
		const [request] = (await isone.parse(file(`${headers}\n${row}\n`, "raw_isone.csv"))).requests;
		expect(request).toMatchObject({ requestClass, incrementalMw });
	});

	it("omits cells that change by themselves from raw, and keeps cells without a field", async () => {
		expect((await one("SouthCoast Wind 1")).raw).toEqual({
			"SIS Complete": "true",
			I39: "true",
			"Sync Date": "2030-05-01",
			Zone: "RI",
			"TO Report": "ISO-NE",
			Dev: "PD",
			FS: "Document Posted",
			SIS: "Document Posted",
		});
	});

	it("states a withdrawal as the status, with the project status before it", async () => {
		expect(await one("Gone Solar")).toMatchObject({
			status: "Withdrawn (Under Study)",
			statusStd: "Withdrawn",
			statusBasis: "date",
			withdrawnDate: "2020-06-01",
			studyPhase: null,
		});
		expect(await one("SHELD BESS")).toMatchObject({
			status: null,
			statusStd: "Active",
			statusBasis: null,
			studyPhase: null,
		});
		expect(await one("ANP Unit 1")).toMatchObject({
			statusStd: "Operational",
			actualCod: "2002-10-24",
			typeStd: "Gas",
		});
	});

	it("reads upgrades and transmission service as transmission", async () => {
		expect(await one("NY ETU")).toMatchObject({ kind: "transmission", typeStd: "Transmission", unit: null });
	});

	it("drops the requests of NYISO's queue and accounts for them", async () => {
		const { requests, dropped, rowsIn } = await isone.parse(csv);
		expect(dropped).toEqual([{ reason: "request of NYISO's queue", count: 1, examples: ["1600"] }]);
		expect(rowsIn).toBe(requests.length + 1);
	});

	it("gives the same requests for the web page, CSV and JSON", async () => {
		const fromCsv = await isone.parse(csv);
		const fromPage = await isone.parse(page(rows));
		expect(fromPage.requests.map(withoutOrigins)).toEqual(fromCsv.requests.map(withoutOrigins));
		expect(fromPage.publishedOn).toBe("2026-10-01");
		expect((await isone.parse(json())).requests.map(withoutOrigins)).toEqual(fromCsv.requests.map(withoutOrigins));
	});

	it("treats a plant without a status as operating if its row was updated after its operation date", async () => {
		const row = (updated: string, operation: string, service: string, withdrawn = "") =>
			`726,${updated},G,2018-03-21,Cranberry Point,OT,BAT,150,150,150,Plymouth,MA,${operation},2025-03-14,${withdrawn},Line,${service},True,True,,PD,SEMA,,,,,Executed,`;
		const read = async (line: string) =>
			(await isone.parse(file(`${headers}\n${line}\n`, "raw_isone.csv"))).requests[0];
		expect(await read(row("2025-05-19", "2025-05-16", "NR"))).toMatchObject({
			status: null,
			statusStd: "Operational",
			statusBasis: "date",
			actualCod: "2025-05-16",
		});
		const open = { status: null, statusStd: "Active", actualCod: null };
		expect(await read(row("2025-05-15", "2025-05-16", "NR"))).toMatchObject(open);
		expect(await read(row("2025-05-19", "2025-05-16", "NA"))).toMatchObject(open);
		expect(await read(row("2025-05-19", "2025-05-16", ""))).toMatchObject(open);
		expect(await read(row("2025-05-19", "2025-05-16", "NR", "2025-05-18"))).toMatchObject({ statusStd: "Withdrawn" });
	});

	it("request 82 (Cape Cod Offshore Wind) has an unknown outcome after ten years without an update or an open study", async () => {
		const read = async (requested: string, studies: string, asOf = "2026-06-29T00:00:00Z") => {
			const line = `82,,G,${requested},Cape Cod Offshore Wind Project,WT,WND,,,,Barnstable,MA,2004-12-31,,,Line,MIS,${studies},`;
			const [request] = (await isone.parse(file(`${headers}\n${line}\n`, "raw_isone.csv"))).requests;
			if (request === undefined) throw new Error("no request");
			const { status, statusStd, statusBasis } = standardise(request, { operator, asOf });
			return [status, statusStd, statusBasis];
		};
		const none = "False,False,,,SEMA,,,,,";
		expect(await read("2001-02-14", none)).toEqual([null, "Unknown", null]);
		expect(await read("2001-02-14", none, "2010-12-31T00:00:00Z")).toEqual([null, "Active", null]);
		expect(await read("2021-02-14", none)).toEqual([null, "Active", null]);
		// Seabrook's turbine blades of 2008: an agreement, and studies that are complete.
		const complete = "True,True,,,NH,Document Posted,Document Posted,,,Executed";
		expect(await read("2008-10-22", complete)).toEqual([null, "Unknown", null]);
		expect(await read("2008-10-22", "True,True,,,NH,,,,In Progress,")).toEqual([null, "Active", "milestone"]);
	});

	it("uses the page's letter for a commercial plant whose project status is blank", async () => {
		const html = new TextDecoder()
			.decode(
				page(["8,,G,1997-07-15,ANP Unit 1,CC,NG,,,,Norfolk,MA,2002-10-24,,,Line,MIS,True,True,,,SEMA,,,,,,"]).bytes,
			)
			.replace("<th>Project Status</th>", "<th>Project Status</th><th>Status</th>")
			.replace("</tr></tbody>", "<td>C</td></tr></tbody>");
		const { requests } = await isone.parse(file(html, "external.html"));
		expect(requests[0]).toMatchObject({ status: null, statusStd: "Operational" });
	});

	it("keeps and counts unknown values and columns", async () => {
		const text = `${headers},Moon\n${rows[0]?.replace(",BAT,", ",XYZ,").replace(/,$/, ",Dreaming")},full\n`;
		const { requests, unknownColumns, unknownValues } = await isone.parse(file(text, "raw_isone.csv"));
		expect(unknownColumns).toEqual(["Moon"]);
		expect(requests[0]).toMatchObject({ status: "Dreaming", type: "XYZ", raw: { Moon: "full" } });
		expect(unknownValues).toEqual([
			{ field: "status", value: "Dreaming", count: 1 },
			{ field: "type", value: "XYZ", count: 1 },
		]);
	});

	it("refuses an incomplete queue", async () => {
		const without = `${headers.replace("Project Status", "Other")}\n${rows[0]}\n`;
		await expect(isone.parse(file(without, "raw_isone.csv"))).rejects.toThrow("Project Status");
		await expect(isone.parse(file("<html><body>Sign in</body></html>", "external.html"))).rejects.toThrow(
			"publicqueue",
		);
	});

	it("recognises its own files and no other operator's", () => {
		const zip = (name: string): RawFile => ({ name, bytes: Uint8Array.of(0x50, 0x4b, 3, 4) });
		for (const own of [
			csv,
			page(rows),
			json(),
			zip("QueueReport.xlsx"),
			zip("ISONE_QueueReport_20240830090927.xlsx"),
		]) {
			expect(isone.recognises(own)).toBe(true);
		}
		for (const name of ["publicqueuereport.xlsx", "NYISO-Interconnection-Queue.xlsx", "PlanningQueues.xlsx"]) {
			expect(isone.recognises(zip(name))).toBe(false);
		}
		expect(isone.recognises(file('[{"projectNumber":"J1"}]', "raw_miso.json"))).toBe(false);
	});

	it("reads a number in any spelling", () => {
		expect(isone.key(" 0517 ")).toBe("517");
		expect(isone.key("517.0")).toBe("517");
	});
});

/** Filed status by number, name and unit; repeats of all three are numbered. */
function byIdentity(requests: FiledRequest[]): Map<string, string> {
	const statuses = new Map<string, string>();
	for (const { number, name, unit, status } of requests) {
		let nth = 1;
		while (statuses.has(`${number}~${name}~${unit}~${nth}`)) nth++;
		statuses.set(`${number}~${name}~${unit}~${nth}`, status ?? "");
	}
	return statuses;
}

const dir = join(process.env.REAL_DATA_DIR ?? "../shared/data", "isone");
if (!existsSync(dir)) console.warn(`Skipped: ISO-NE's real files, as ${dir} does not exist (REAL_DATA_DIR).`);

describe.skipIf(!existsSync(dir))("real ISO-NE files", () => {
	const read = (path: string): Promise<ParsedFile> =>
		isone.parse({ name: basename(path), bytes: new Uint8Array(readFileSync(join(dir, path))) });
	const paths = [
		"2024-08-30/ISONE_QueueReport_20240830090927.xlsx",
		"2025-01-07/QueueReport_20250107130953.xlsx",
		"2025-01-23/QueueReport.xlsx",
		"2026-06-29/raw_isone.csv",
		"2026-06-29/raw_isone.json",
	];

	it.each(paths)("%s: every row is a request or accounted for, and every value is known", async (path) => {
		const { requests, dropped, rowsIn, unknownColumns, unknownValues, publishedOn } = await read(path);
		expect(rowsIn).toBeGreaterThan(1700);
		expect(requests.length + dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn);
		expect(unknownColumns).toEqual([]);
		expect(unknownValues).toEqual([]);
		expect(publishedOn).toBe(path.endsWith(".xlsx") ? path.slice(0, 10) : null);
	});

	it("have equal content in CSV and JSON", async () => {
		const [fromCsv, fromJson] = await Promise.all([
			read("2026-06-29/raw_isone.csv"),
			read("2026-06-29/raw_isone.json"),
		]);
		expect(fromJson.requests.map(withoutOrigins)).toEqual(fromCsv.requests.map(withoutOrigins));
	});

	it("show the 59 changes of project status and the 49 withdrawals of autumn 2024 as status changes", async () => {
		const [before, after] = await Promise.all([read(paths[0] ?? ""), read(paths[1] ?? "")]);
		const old = byIdentity(before.requests);
		const pairs = [...byIdentity(after.requests)].flatMap(([identity, status]) => {
			const was = old.get(identity);
			return was === undefined ? [] : [{ was, status }];
		});
		const word = (status: string) => status.replace(/^Withdrawn \((.*)\)$|^Withdrawn$/, "$1");
		const isWithdrawn = (status: string) => status.startsWith("Withdrawn");
		expect(pairs.filter(({ was, status }) => word(was) !== word(status))).toHaveLength(59);
		expect(pairs.filter(({ was, status }) => isWithdrawn(was) !== isWithdrawn(status))).toHaveLength(49);
	});
});
