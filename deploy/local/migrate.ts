/**
 * Migrates the services' schemas, one after the other. MIGRATE (JSON) has the name of each service and the address of its database. One
 * process for all: to start one takes longer than most migrations.
 */
import { runProgram } from "./program.ts";
import { programOf } from "./services.ts";

await runProgram(async () => {
	for (const [service, url] of JSON.parse(process.env.MIGRATE ?? "[]") as [string, string][]) {
		const { migrate } = (await import(programOf(service, "migrate.ts"))) as { migrate(url: string): Promise<string[]> };
		console.log(`${service}: ${(await migrate(url)).join(", ") || "nothing to migrate"}`);
	}
});
