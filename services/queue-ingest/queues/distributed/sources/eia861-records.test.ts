/** Blocks of columns that each form of EIA-861 accepts. */
import { expect, it } from "vitest";
import type { Block } from "./blocks.ts";
import { netMetered, notNetMetered } from "./eia861-records.ts";

const block = (group: string, measure = ""): Block => ({ group, measure, columns: new Map([["total", 1]]) });

it("the form for generators that are not net metered has one block per technology, without measures", () => {
	expect(() => notNetMetered.check([block("photovoltaic"), block("wind"), block("total")])).not.toThrow();
	expect(() => notNetMetered.check([block("photovoltaic", "customers")])).toThrow(
		'the column block "photovoltaic: customers" belongs to another form',
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
	expect(() => netMetered.check([...blocks, block("wind", "capacity mw")])).toThrow(
		'the column block "wind: capacity mw" has the same meaning as an earlier block',
	);
	expect(() => notNetMetered.check([block("wind"), block("wind")])).toThrow(
		'the column block "wind" has the same meaning as an earlier block',
	);
});
