import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** In a process of its own: the most memory that it ever had counts. */
const program = `
	const { parser } = await import(${JSON.stringify(new URL("parser.ts", import.meta.url).href)});
	const { parse } = await parser();
	for (let nth = 0; nth < 4_000; nth++)
		await parse("select status_std, count(*), sum(capacity_mw) from projects where state = 'TX' group by 1 order by 2 limit 10");
	console.log(process.resourceUsage().maxRSS);
`;

test("the parser takes no more memory for thousands of statements than for the first", () => {
	const kilobytes = Number(execFileSync(process.execPath, ["--input-type=module", "-e", program]).toString());
	// It is 75 MB; where V8 optimises, over 300 by then.
	expect(kilobytes / 1024).toBeLessThan(180);
});
