/** Which blocks of columns each form of EIA-861 takes for its own. */
import { expect, it } from "vitest";
import type { Block } from "./blocks.ts";
import { netMetered, otherwise } from "./eia861-records.ts";

const block = (group: string, measure = ""): Block => ({ group, measure, columns: new Map([["total", 1]]) });

it("generators that are not net metered have one block a technology: a measure is another form's", () => {
	expect(() => otherwise.check([block("photovoltaic"), block("wind"), block("total")])).not.toThrow();
	expect(() => otherwise.check([block("photovoltaic", "customers")])).toThrow(
		'"photovoltaic: customers" is a column of',
	);
	expect(otherwise.knows(block("photovoltaic", "customers"))).toBe(false);
});

it("two blocks of one technology, programme and measure are refused: one would hide the other", () => {
	const blocks = [
		...[block("photovoltaic", "capacity mw"), block("photovoltaic", "virtual capacity (mw)")],
		...[block("photovoltaic", "storage capacity (mw)"), block("wind", "capacity mw"), block("wind", "customers")],
	];
	const totals = [block("all technologies", "capacity mw"), block("all technologies", "customers")];
	expect(() => netMetered.check([...blocks, ...totals])).not.toThrow();
	expect(() => netMetered.check([...blocks, block("wind", "capacity mw")])).toThrow('two blocks of columns mean "wind');
	expect(() => otherwise.check([block("wind"), block("wind")])).toThrow('two blocks of columns mean "wind"');
});
