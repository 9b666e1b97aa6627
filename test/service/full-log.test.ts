/** A log that cannot be written, as on a full disk. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";

const full = "/dev/full";

test.skipIf(!existsSync(full))("a process continues if its log cannot be written", () => {
	const output = openSync(full, "w");
	const program = `
		import { createLogger } from "#libs/service/logger.ts";
		const log = createLogger({ name: "full" });
		for (let line = 0; line < 300; line++) log.info({ line }, "more than is kept".padEnd(5_000));
		await new Promise((resolve) => setTimeout(resolve, 10));
		log.info("and one more");
		process.stderr.write("it goes on");`;
	const { status, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
		stdio: ["ignore", output, "pipe"],
		encoding: "utf8",
	});
	closeSync(output);
	expect({ status, stderr }).toEqual({ status: 0, stderr: "it goes on" });
});
