import { expect, it } from "vitest";
import {
	bytesOf,
	intervalEnds,
	nyisoFile,
	oasisDay,
	oasisFile,
	twoZones,
} from "../../../../../test/support/market-files.ts";
import { describeRealFiles } from "../../../../../test/support/real-files.ts";
import { nyisoDayAhead, nyisoOasisCommitment, nyisoOasisDayAhead, nyisoRealTime } from "./nyiso.ts";

const two = (value: number) => String(value).padStart(2, "0");
const hours = (day: string, walls = Array.from({ length: 24 }, (_, at) => at)): [string, number][] =>
	walls.map((wall, at) => [`${day} ${two(wall)}:00`, 20 + at]);
const fiveMinutes = (price: (at: number) => number): [string, number][] =>
	intervalEnds("07/18/2022", "07/19/2022", 5).map((stamp, at) => [stamp, price(at)]);
const realTime = (stamps: [string, number][]) => nyisoRealTime.parse(nyisoFile("20220718realtime_zone.csv", stamps));
const dayAhead = (stamps: [string, number][]) => nyisoDayAhead.parse(nyisoFile("damlbmp_zone.csv", stamps));

it("congestion is negated, so that energy, congestion and loss add up to the price", async () => {
	const { rows } = await dayAhead(hours("06/01/2024"));
	expect(rows.find(({ hub }) => hub === "N.Y.C.")).toMatchObject({
		lmp: 55,
		energy: 20,
		congestion: 30,
		loss: 5,
		hubType: "zone",
	});
	const congestion = rows.find(({ hub }) => hub === "CAPITL")?.congestion;
	expect(Object.is(congestion, 0)).toBe(true);
});

it("day-ahead timestamps begin their hours", async () => {
	const file = await dayAhead(hours("06/01/2024"));
	expect([file.edition, file.rows[0]?.startsAt, file.rows.at(-1)?.startsAt]).toEqual([
		...["2024-06-01", "2024-06-01T04:00:00.000Z", "2024-06-02T03:00:00.000Z"],
	]);
});

it("the first of two equal autumn timestamps is daylight-saving time", async () => {
	const walls = [0, 1, 1, ...Array.from({ length: 22 }, (_, at) => at + 2)];
	const { rows } = await dayAhead(hours("11/03/2024", walls));
	const zone = rows.filter(({ hub }) => hub === "CAPITL");
	expect(zone).toHaveLength(25);
	expect(zone.slice(1, 4).map(({ startsAt, energy }) => [startsAt.slice(11, 16), energy])).toEqual([
		["05:00", 21],
		["06:00", 22],
		["07:00", 23],
	]);
});

it("a real-time timestamp ends its interval, so the first twelve form the day's first hour", async () => {
	const { rows, edition } = await realTime(fiveMinutes((at) => (at < 12 ? 50 : 20)));
	const zone = rows.filter(({ hub }) => hub === "CAPITL");
	expect([edition, zone.length]).toEqual(["2022-07-18", 24]);
	expect(zone.slice(0, 2).map(({ startsAt, energy, minutes }) => [startsAt, energy, minutes])).toEqual([
		["2022-07-18T04:00:00.000Z", 50, 60],
		["2022-07-18T05:00:00.000Z", 20, 60],
	]);
});

it("a run between two regular runs is weighted by its duration", async () => {
	const stamps = fiveMinutes(() => 20);
	stamps.splice(1, 0, ["07/18/2022 00:06:00", 80]);
	const { rows } = await realTime(stamps);
	// One minute of 60 at 80, the rest at 20.
	expect(rows[0]).toMatchObject({ energy: 21, minutes: 60 });
});

it("a missing interval is not filled from a neighbour", async () => {
	const stamps = fiveMinutes((at) => (at === 3 ? 80 : 20)).filter((_, at) => at !== 2);
	const { rows } = await realTime(stamps);
	expect(rows[0]).toMatchObject({ minutes: 55, energy: Math.round(((80 + 20 * 10) / 11) * 10_000) / 10_000 });
});

it("a run that crosses the hour is split between both hours", async () => {
	const stamps = fiveMinutes(() => 20);
	stamps.splice(11, 1, ["07/18/2022 00:58:00", 20], ["07/18/2022 01:03:00", 80]);
	const { rows } = await realTime(stamps);
	expect(rows.slice(0, 2)).toMatchObject([
		{ energy: 22, minutes: 60 },
		{ energy: 23, minutes: 60 },
	]);
});

it("an incomplete day, or a file truncated between two rows, is refused", async () => {
	const whole = nyisoFile(
		"20220718realtime_zone.csv",
		fiveMinutes(() => 20),
	);
	const lines = new TextDecoder().decode(whole.bytes).split("\r\n");
	for (const count of [2, lines.length - 2, 200]) {
		const cut = { ...whole, bytes: bytesOf(`${lines.slice(0, count).join("\r\n")}\r\n`) };
		await expect(nyisoRealTime.parse(cut), `${count} lines`).rejects.toThrow(/not whole days|different times/);
	}
	await expect(dayAhead(hours("06/01/2024").slice(0, 20))).rejects.toThrow(/not whole days/);
});

it("a file in which congestion has the opposite sign is refused", async () => {
	const stamps = hours("06/01/2024");
	const wrong = nyisoFile("damlbmp_zone.csv", stamps, [["CAPITL", 61757, 2, 0]]);
	const lines = stamps.map(([stamp, energy]) => `"${stamp}","N.Y.C.",61761,${energy + 5 + 30},5.00,30.00`);
	const text = `${new TextDecoder().decode(wrong.bytes)}${lines.join("\r\n")}\r\n`;
	await expect(nyisoDayAhead.parse({ ...wrong, bytes: bytesOf(text) })).rejects.toThrow(
		"congestion may have changed its sign",
	);
});

it("the markets are distinguished by file name and first timestamp", () => {
	const own = (file: Parameters<typeof nyisoDayAhead.recognises>[0]) => [
		nyisoDayAhead.recognises(file),
		nyisoRealTime.recognises(file),
	];
	const real = nyisoFile(
		"20220718rt.csv",
		fiveMinutes(() => 20),
	);
	expect(own(nyisoFile("20240601damlbmp_zone.csv", hours("06/01/2024")))).toEqual([true, false]);
	expect(own(real)).toEqual([false, true]);
	// Hourly averages of real-time prices, and the generators' file.
	expect(own(nyisoFile("20240601rtlbmp_zone.csv", hours("06/01/2024")))).toEqual([false, false]);
	expect(
		own(
			nyisoFile(
				"20220718rt_gen.csv",
				fiveMinutes(() => 20),
				[["A GENERATOR", 23512, 1, 0]],
			),
		),
	).toEqual([false, false]);
});

it("an export distinguishes the two repeated autumn hours in any order of rows", async () => {
	const day = oasisDay("11/3/24", 20).map(([stamp, , ...rest], at): [string, string, number, number?] => [
		stamp,
		at < 2 ? "EDT" : "EST",
		...rest,
	]);
	const file = oasisFile([["11/3/24 1:00", "EST", 99], ...day]);
	const { rows } = await nyisoOasisDayAhead.parse(file);
	expect(rows).toHaveLength(25);
	expect(rows.slice(1, 3).map(({ startsAt, energy }) => [startsAt.slice(11, 16), energy])).toEqual([
		["05:00", 21],
		["06:00", 99],
	]);
});

it("the edition of an export is its days and zones; the latest version of an hour is used", async () => {
	const file = await nyisoOasisDayAhead.parse(oasisFile([...oasisDay("6/1/24", 20), ["6/1/24 3:00", "EDT", 77, 2]]));
	expect([file.edition, file.publishedOn, file.rows.length]).toEqual([
		"2024-06-01..2024-06-01 61761",
		"2024-06-01",
		24,
	]);
	expect(file.rows[3]).toMatchObject({ energy: 77, version: 2, congestion: 3, loss: 2 });
	expect(file.dropped).toMatchObject([{ reason: "superseded in the same file", count: 1 }]);
});

it("an export that ends within a day or a row is refused", async () => {
	await expect(nyisoOasisDayAhead.parse(oasisFile(oasisDay("6/1/24", 20).slice(0, 23)))).rejects.toThrow(
		/not whole days/,
	);
	const { name, bytes } = oasisFile(oasisDay("6/1/24", 20));
	await expect(nyisoOasisDayAhead.parse({ name, bytes: bytes.slice(0, -3) })).rejects.toThrow(/truncated/);
});

it("the commitment run's quarter-hours are averaged into the hours of a separate market", async () => {
	const header =
		'"RTC End Time Stamp","Zone Name","Zone PTID","RTC Zonal LBMP","RTC Zonal Losses","RTC Zonal Congestion","RTC Zonal Price Version"';
	const ends = intervalEnds("2024/06/01", "2024/06/02", 15).map(
		(stamp, at) => `"${stamp}","N.Y.C.","61761","${30 + (at % 4)}","2","-1","1"`,
	);
	const file = { name: "rtc.csv", bytes: bytesOf([header, ...ends, ""].join("\r\n")) };
	expect(nyisoOasisCommitment.recognises(file)).toBe(true);
	const { rows } = await nyisoOasisCommitment.parse(file);
	expect([rows.length, rows[0]]).toMatchObject([24, { lmp: 31.5, energy: 28.5, congestion: 1, loss: 2, minutes: 60 }]);
});

describeRealFiles("market", (read) => {
	it("a real-time day of 15 zones and interfaces with 305 runs each yields 360 complete hours", async () => {
		const file = await nyisoRealTime.parse(read("nyiso_20220718rt.csv"));
		expect([file.rowsIn, file.rows.length, file.edition]).toEqual([15 * 305, 15 * 24, "2022-07-18"]);
		expect(new Set(file.rows.map(({ minutes }) => minutes))).toEqual(new Set([60]));
		expect([...new Set(file.rows.filter(({ hubType }) => hubType === "interface").map(({ hub }) => hub))]).toEqual([
			"H Q",
			"NPX",
			"O H",
			"PJM",
		]);
		expect([file.unknownValues, file.dropped]).toEqual([[], []]);
	});

	it("three months of exports are read, and hours missing from the commitment run stay missing", async () => {
		const ahead = await nyisoOasisDayAhead.parse(read("nyiso_OASIS_Day-Ahead_Market_Zonal_LBMP.csv"));
		expect([ahead.rowsIn, ahead.rows.length, ahead.edition]).toEqual([2208, 2208, "2024-06-01..2024-08-31 61761"]);
		const run = await nyisoOasisCommitment.parse(read("nyiso_OASIS_Real_Time_Commitment_Zonal_LBMP.csv"));
		expect([run.rowsIn, run.rows.length]).toEqual([8819, 2206]);
		expect(run.rows.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(8819 * 15);
	});
});

it("zones are distinguished from interfaces by their number", async () => {
	const file = nyisoFile("damlbmp_zone.csv", hours("06/01/2024"), [...twoZones, ["PJM", 61847, 1, 0]]);
	const { rows } = await nyisoDayAhead.parse(file);
	expect(rows.filter(({ hub }) => hub === "PJM").map(({ hubType }) => hubType)[0]).toBe("interface");
});
