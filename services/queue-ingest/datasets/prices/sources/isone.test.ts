import { expect, it } from "vitest";
import { bytesOf, isoneReport } from "../../../../../test/support/market-files.ts";
import { describeRealFiles } from "../../../../../test/support/real-files.ts";
import { isoneDayAhead, isoneRealTime } from "./isone.ts";

const edited = (edit: (text: string) => string, options = { day: "06/04/2026" }) => {
	const file = isoneReport(options);
	return { ...file, bytes: bytesOf(edit(new TextDecoder().decode(file.bytes))) };
};

it("the hub, zones and interfaces of a day are stored; its nodes are counted as omitted", async () => {
	const file = await isoneDayAhead.parse(isoneReport({ day: "06/04/2026", generated: "06/03/2026" }));
	expect(file).toMatchObject({
		edition: "2026-06-04",
		publishedOn: "2026-06-03",
		rowsIn: 96,
		unknownColumns: [],
		unknownValues: [],
	});
	expect(file.rows).toHaveLength(72);
	expect(file.dropped).toMatchObject([{ reason: "location type NETWORK NODE, not served", count: 24 }]);
	expect(
		file.rows.slice(0, 3).map(({ hub, hubType, startsAt, lmp, loss }) => [hub, hubType, startsAt, lmp, loss]),
	).toEqual([
		[".H.INTERNAL_HUB", "hub", "2026-06-04T04:00:00.000Z", 21.5, 0.5],
		[".Z.MAINE", "zone", "2026-06-04T04:00:00.000Z", 20, -1],
		[".I.SALBRYNB345 1", "interface", "2026-06-04T04:00:00.000Z", 19, -2],
	]);
	expect(file.rows.at(-1)?.startsAt).toBe("2026-06-05T03:00:00.000Z");
});

const hubOnly: [string, string, string, number][] = [["HUB", "4000", ".H.INTERNAL_HUB", 0]];
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, "0"));

it("02X is the second repeated hour in autumn", async () => {
	const labels = ["01", "02", "02X", ...range(3, 24)];
	const { rows } = await isoneDayAhead.parse(isoneReport({ day: "11/02/2025", labels, locations: hubOnly }));
	expect(rows).toHaveLength(25);
	expect(rows.slice(1, 4).map(({ startsAt, lmp }) => [startsAt.slice(11, 16), lmp])).toEqual([
		["05:00", 22],
		["06:00", 22.5],
		["07:00", 23],
	]);
});

it.each([
	["03 left out", ["01", "02", ...range(4, 24)]],
	["numbered through", range(1, 23)],
])("a day of 23 hours is read with %s", async (_, labels) => {
	const { rows } = await isoneDayAhead.parse(isoneReport({ day: "03/08/2026", labels, locations: hubOnly }));
	expect([rows.length, rows[2]?.startsAt, rows.at(-1)?.startsAt]).toEqual([
		23,
		"2026-03-08T07:00:00.000Z",
		"2026-03-09T03:00:00.000Z",
	]);
});

it("a truncated report is refused, wherever it ends", async () => {
	const whole = new TextDecoder().decode(isoneReport({ day: "06/04/2026" }).bytes);
	for (const length of [
		whole.length - 1,
		whole.length - 20,
		whole.lastIndexOf("\n"),
		Math.floor(whole.length / 2),
		900,
		40,
	]) {
		await expect(isoneDayAhead.parse(edited((text) => text.slice(0, length))), `cut at ${length}`).rejects.toThrow();
	}
});

it.each([
	["another report", (text: string) => `${text}\n${text}`],
	["rows", (text: string) => `${text}\n"D","06/04/2026","01","4000",".H.INTERNAL_HUB","HUB",1,1,0,0\n`],
	["a second trailer", (text: string) => `${text}\n"T","1 lines"`],
])("a report with data after its trailer (%s) is refused, but a final line end is allowed", async (_, more) => {
	await expect(isoneDayAhead.parse(edited(more))).rejects.toThrow("has data after its trailer");
	await expect(isoneDayAhead.parse(edited((text) => `${text}\r\n`))).resolves.toMatchObject({ rowsIn: 96 });
});

it("a report with missing rows in the middle is refused", async () => {
	const lost = edited((text) => text.replace(/"D","06\/04\/2026","05",.*\n/, ""));
	await expect(isoneDayAhead.parse(lost)).rejects.toThrow("has 95 data rows, but its trailer states 96");
});

it("a report without one of its hours, or of two days, is refused", async () => {
	await expect(isoneDayAhead.parse(isoneReport({ day: "06/04/2026", labels: range(1, 23) }))).rejects.toThrow(
		"has 23 hour labels, but its day has 24 hours",
	);
	const twoDays = edited((text) => text.replace('"D","06/04/2026","24"', '"D","06/05/2026","24"'));
	await expect(isoneDayAhead.parse(twoDays)).rejects.toThrow("2 days instead of one");
});

it("an impossible price is malformed; prices that differ from the sum of their parts are counted", async () => {
	const odd = edited((text) => text.replace('"HUB",21.50,', '"HUB",21000,').replace('"HUB",22.50,', '"HUB",23.50,'));
	const file = await isoneDayAhead.parse(odd);
	expect(file.dropped).toContainEqual(
		expect.objectContaining({ count: 1, malformed: true, examples: [".H.INTERNAL_HUB 01"] }),
	);
	expect(file.unknownValues).toEqual([
		{
			...{ field: "sum of components", value: "off by more than 0.01 USD/MWh", count: 1 },
			note: "sum of components off by more than 0.01 USD/MWh, kept as filed",
		},
	]);
});

it("a second price for the same hour is malformed", async () => {
	const twice = edited((text) => text.replace('"D","06/04/2026","02","4000"', '"D","06/04/2026","01","4000"'));
	const file = await isoneDayAhead.parse(twice);
	expect(file.dropped).toContainEqual(
		expect.objectContaining({ reason: "a second price for the same hour", count: 1, malformed: true }),
	);
	expect(file.rows.filter(({ hub, lmp }) => hub === ".H.INTERNAL_HUB" && lmp === 22.5)).toEqual([]);
});

it("the two reports are distinguished, and neither adapter reads the preliminary report", () => {
	const [ahead, final] = [isoneReport({ day: "06/04/2026" }), isoneReport({ day: "06/04/2026", kind: "real-time" })];
	const preliminary = {
		...final,
		bytes: bytesOf(new TextDecoder().decode(final.bytes).replace("lmp_rt_final", "lmp_rt_prelim")),
	};
	const own = (file: typeof ahead) => [isoneDayAhead.recognises(file), isoneRealTime.recognises(file)];
	expect([ahead, final, preliminary].map(own)).toEqual([
		[true, false],
		[false, true],
		[false, false],
	]);
});

describeRealFiles("market", (read) => {
	it("the real reports yield 1 hub, 8 zones and 7 interfaces", async () => {
		for (const [dataset, name, rowsIn] of [
			[isoneDayAhead, "WW_DALMP_ISO_20260604.csv", 29_016],
			[isoneRealTime, "lmp_rt_final_20260602.csv", 29_064],
		] as const) {
			const raw = read(name);
			expect(dataset.recognises(raw)).toBe(true);
			const file = await dataset.parse(raw);
			expect([file.rowsIn, file.rows.length]).toEqual([rowsIn, 16 * 24]);
			expect(file.rows.length + file.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn);
			expect(file.unknownValues).toEqual([]);
		}
	});
});
