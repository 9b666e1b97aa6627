/** The developer behind a request whose operator publishes none: found by EIA's planned units, kept through lists, moved by editions. */
import { expect, it } from "vitest";
import { linkCompanies } from "../../services/queue-ingest/developers/jobs/link-requests.ts";
import { syncRegister } from "../../services/queue-ingest/developers/jobs/register.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { takePlannedUnit } from "./support/planned-unit.ts";
import { openQueue, type Queue } from "./support/queue.ts";

const takeUnits = ({ sql }: Queue, entity: string, month: number) => takePlannedUnit(sql, entity, month);

async function takeList(queue: Queue, day: string, mw: number): Promise<string> {
	const [first, ...rest] = queueRows("caiso", { count: 20 });
	if (first === undefined) throw new Error("no rows");
	const request = {
		...first,
		name: "LARKSPUR MESA",
		mw,
		fuel: "Solar",
		status: "active",
		queued: "2022-05-01",
	} as const;
	await queue.take("CAISO", day, await queueFile("caiso", [{ ...request, state: "CA", county: "Kern" }, ...rest]));
	return `CAISO-${first.number}`;
}

it("a request's company is that reporting the planned plant, persists through the next list, and changes with the next edition", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	const project_id = await takeList(queue, "2026-03-01", 100);
	const shown = async () => {
		const { developer, developer_canonical, developer_tier, developer_match, version } = await queue.ask("getProject", {
			project_id,
		});
		return { developer, developer_canonical, developer_tier, developer_match, version };
	};
	expect(await shown()).toMatchObject({
		developer: null,
		developer_canonical: null,
		developer_match: null,
		version: 1,
	});
	expect(await takeUnits(queue, "Invenergy Services LLC", 3)).toBe(true);
	const found = await shown();
	expect(found).toMatchObject({
		developer: null,
		developer_canonical: "Invenergy",
		developer_tier: "major_ipp",
		version: 2,
	});
	expect(found.developer_match).toMatchObject({
		method: "eia_entity",
		matched_text: "Invenergy Services LLC",
		plant_id: 60001,
	});
	expect(found.developer_match?.evidence).toContain("same name (Larkspur Mesa Solar)");
	expect(await linkCompanies(queue.sql)).toBe(false);
	expect((await queue.ask("listDeveloperProjects", { developer_id: "Invenergy" })).projects).toHaveLength(1);
	await takeList(queue, "2026-03-15", 101);
	expect(await shown()).toMatchObject({ developer_canonical: "Invenergy", version: 3 });
	expect(await takeUnits(queue, "Cypress Creek Renewables", 4)).toBe(true);
	expect(await shown()).toMatchObject({ developer_canonical: "Cypress Creek Renewables", version: 4 });
	expect((await queue.ask("listDeveloperProjects", { developer_id: "Invenergy" })).projects).toEqual([]);
});

it("a request has no company if only a project company reports the plant; an unknown company has the tier of its EIA plants", async () => {
	await using queue = await openQueue();
	await syncRegister(queue.sql);
	const project_id = await takeList(queue, "2026-03-01", 100);
	await takeUnits(queue, "Larkspur Mesa Solar, LLC", 3);
	expect(await queue.ask("getProject", { project_id })).toMatchObject({
		developer_canonical: null,
		developer_match: null,
	});
	expect((await queue.ask("getOwnership", { project_id })).plant).toMatchObject({
		...{ plant_id: 60001, method: "name", link_kind: "direct" },
	});
	const shown = async () => {
		const { developer_canonical, developer_tier } = await queue.ask("getProject", { project_id });
		return [developer_canonical, developer_tier];
	};
	// A replacement request has the company of the plant whose rights it uses, which is not the request's plant.
	const [first, ...rest] = queueRows("miso", { count: 20 });
	if (first === undefined) throw new Error("no rows");
	const replacing = { number: "R1003", poi: "Sabine 138 & 230 kV (bus #334440)", county: "Orange", state: "TX" };
	await queue.take(
		"MISO",
		"2026-03-01",
		await queueFile("miso", [{ ...first, ...replacing, status: "active" }, ...rest]),
	);
	await queue.sql`
		insert into plants (year, plant_id, name, utility_name, state, county)
		values (2023, 3459, 'Sabine', 'Entergy Texas Inc.', 'TX', 'Orange')`;

	await takeUnits(queue, "Quailwood Renewables", 4);
	expect(await shown()).toEqual(["Quailwood Renewables", "independent"]);
	await takeList(queue, "2026-03-15", 101);
	expect(await shown()).toEqual(["Quailwood Renewables", "independent"]);
	const { data } = await queue.ask("listDevelopers", { tier: "independent", min_projects: 1 });
	const sponsor = { canonical_name: "Quailwood Renewables", company_kind: "sponsor", company_group: null };
	expect(data).toMatchObject([sponsor]);
	expect((await queue.ask("listDevelopers", { company_kind: "special_purpose" })).data).toEqual([]);
	expect(await queue.ask("getProject", { project_id: "MISO-R1003" })).toMatchObject({
		developer_canonical: "Entergy",
		developer_match: { method: "replaced_plant", matched_text: "Entergy Texas Inc.", plant_id: 3459 },
	});
	expect((await queue.ask("getOwnership", { project_id: "MISO-R1003" })).plant).toBeNull();
});
