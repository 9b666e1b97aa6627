/** `npm start -- SERVICE`: one service alone, with the settings of the environment, as in a container. */
import { runNode, runProgram, UserError } from "./program.ts";
import { mainArguments, memory, services } from "./services.ts";

await runProgram(async () => {
	const names = services.map(({ name }) => name);
	const service = names.find((name) => name === process.argv[2]);
	if (service === undefined) throw new UserError(`Which service? npm start -- ${names.join(" | ")}`);
	await runNode(mainArguments(service), { ...memory.settings, ...process.env });
});
