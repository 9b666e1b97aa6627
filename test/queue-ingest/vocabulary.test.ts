/** Words that no adapter knows: listed until a person maps them, read so from the next list on, and withdrawn. */
import { expect, it, vi } from "vitest";
import { vocabulary } from "../../services/queue-ingest/admin/vocabulary.ts";
import { type MisoRow, misoJson } from "./support/miso.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue = sharedQueue();

async function run(...args: string[]): Promise<string[]> {
	const printed = vi.spyOn(console, "log").mockImplementation(() => {});
	try {
		await vocabulary(args, { POSTGRES_URL: queue.url }, () => new Date("2026-01-13T12:00:00Z"));
		return printed.mock.calls.map(([line]) => String(line));
	} finally {
		printed.mockRestore();
	}
}

const rowsOf = (status: (at: number) => string): MisoRow[] =>
	Array.from({ length: 120 }, (_, at): MisoRow => ({ number: `J${100 + at}`, status: status(at) }));
const statusOf = async (id: string) => {
	const { data } = await queue.ask("getProjectProvenance", { project_id: id, field: "status_std" });
	return data[0];
};
const contract = async () => (await queue.ask("getSourceContracts", { region: ["MISO"], columns: false })).data[0];
const map = (means: string, word = "Retired From Queue") =>
	run("--source", "miso", "--map", `${word}=${means}`, "--author", "A. Person");

it("an unknown value is listed with its column, first day, rows and an example until it is mapped", async () => {
	const retired = (count: number) => rowsOf((at) => (at < count ? "Retired From Queue" : "Active"));
	await queue.take("MISO", "2026-01-05", misoJson(rowsOf(() => "Active")));
	await queue.take("MISO", "2026-01-12", misoJson(retired(2)));
	await queue.take("MISO", "2026-01-13", misoJson(retired(3)));
	expect(await run("--source", "miso")).toEqual([
		'miso, status (column "applicationStatus"): "Retired From Queue", since 2026-01-12, 3 rows, as J100',
	]);
	const word = { field: "status", word: "Retired From Queue", rows: 3, column: "applicationStatus", example: "J100" };
	expect(await contract()).toMatchObject({ unknown_words: [{ ...word, mapped_to: null }], mapped_words: [] });
	expect(await statusOf("MISO-J100")).toMatchObject({ value: "Active", rule: "miso.status", evidence: null });

	await expect(map("Gone")).rejects.toThrow(
		/"Gone" is not one of the known values of status in miso: active, .*withdrawn/,
	);
	await expect(map("Withdrawn", "Active")).rejects.toThrow(/"Active" is not an unknown value/);
	expect(await map("Withdrawn")).toEqual([
		'mapping 1: status "Retired From Queue" of miso is read as "Withdrawn" from the next list on',
	]);
	expect(await run()).toEqual([
		"No unknown words.",
		"Mapped",
		'1 miso, status: "Retired From Queue" = "Withdrawn", by A. Person on 2026-01-13',
	]);
	expect(await contract()).toMatchObject({ unknown_words: [{ ...word, mapped_to: "Withdrawn" }] });
	expect(await statusOf("MISO-J100")).toMatchObject({ value: "Active", rule: "miso.status" });

	await queue.take("MISO", "2026-01-14", misoJson(retired(4)));
	expect(await statusOf("MISO-J100")).toMatchObject({
		...{ value: "Withdrawn", rule: "vocabulary.mapped", raw: "Retired From Queue" },
		evidence: { text: '"Retired From Queue" is read as "Withdrawn", mapped by A. Person on 2026-01-13' },
	});
	expect(await statusOf("MISO-J110")).toMatchObject({ value: "Active", rule: "miso.status", evidence: null });
	const { data: status } = await queue.ask("getProjectProvenance", { project_id: "MISO-J100", field: "status" });
	expect(status[0]).toMatchObject({ value: "Retired From Queue", rule: "text" });
	expect(await contract()).toMatchObject({
		...{ unknown_words: [], drift: [] },
		mapped_words: [{ field: "status", rows: 4, read_as: "Withdrawn", author: "A. Person", mapped_on: "2026-01-13" }],
	});
	const check = { project_id: "MISO-J100", field: "status_std" } as const;
	expect(await queue.ask("verifyValue", check)).toMatchObject({ read_again: "Withdrawn", agrees: true });

	expect(await run("--withdraw", "1", "--author", "B. Person")).toEqual([
		"mapping 1 withdrawn: from the next list on the word is unknown again",
	]);
	await expect(run("--withdraw", "1", "--author", "B. Person")).rejects.toThrow(/no mapping 1 is in force/);
	expect(await queue.ask("verifyValue", check)).toMatchObject({ read_again: "Withdrawn", agrees: true });
	await queue.take("MISO", "2026-01-15", misoJson(retired(5)));
	expect(await statusOf("MISO-J100")).toMatchObject({ value: "Active", rule: "miso.status" });
});

it("a mapped technology is the rule only of fields that it determines, not of a county with the value in its name", async () => {
	const filed = { fuel: "Logan*", facility: "" };
	const take = (day: string) =>
		queue.take("MISO", day, misoJson(rowsOf(() => "Active").map((row) => ({ ...row, ...filed, inService: day }))));
	await take("2026-01-20");
	expect(await contract()).toMatchObject({ unknown_words: [{ field: "type", word: "Logan*", mapped_to: null }] });
	await map("Wind", "Logan*");
	expect(await contract()).toMatchObject({ unknown_words: [{ word: "Logan*", mapped_to: "Wind" }] });
	expect((await run("--source", "miso"))[0]).toBe("No unknown words.");
	await take("2026-01-21");
	const { data } = await queue.ask("getProjectProvenance", { project_id: "MISO-J100" });
	const ruleOf = (name: string) => data.find(({ field }) => field === name);
	expect(ruleOf("type_std")).toMatchObject({ value: "Wind", rule: "vocabulary.mapped" });
	expect(ruleOf("type")).toMatchObject({ value: "Logan*", rule: "miso.type" });
	expect(ruleOf("county")).toMatchObject({ value: "Logan", rule: "county.register", evidence: null });
});
