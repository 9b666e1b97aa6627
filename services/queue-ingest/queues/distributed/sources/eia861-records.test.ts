/** Blocks of columns that each form of EIA-861 accepts. */
import { expect, it } from "vitest";
import type { Block } from "./blocks.ts";
import { netMetered, notNetMetered } from "./eia861-records.ts";

const block = (group: string, measure = ""): Block => ({ group, measure, columns: new Map([["total", 1]]) });

it("the form for generators that are not net metered has one block per technology, without measures", () => {
	expect(() => notNetMetered.check([block("photovoltaic"), block("wind"), block("total")])).not.toThrow();
	expect(() => notNetMetered.check([block("photovoltaic", "customers")])).toThrow(
		'"photovoltaic: customers" is a column of',
	);
	expect(notNetMetered.hasMeaning(block("photovoltaic", "customers"))).toBe(false);
});

it("two blocks of one technology, programme and measure are refused", () => {
	const blocks = [
		...[block("photovoltaic", "capacity mw"), block("photovoltaic", "virtual capacity (mw)")],
		...[block("photovoltaic", "storage capacity (mw)"), block("wind", "capacity mw"), block("wind", "customers")],
	];
	const totals = [block("all technologies", "capacity mw"), block("all technologies", "customers")];
	expect(() => netMetered.check([...blocks, ...totals])).not.toThrow();
	expect(() => netMetered.check([...blocks, block("wind", "capacity mw")])).toThrow('two blocks of columns mean "wind');
	expect(() => notNetMetered.check([block("wind"), block("wind")])).toThrow('two blocks of columns mean "wind"');
});
