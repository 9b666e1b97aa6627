/**
 * The limit of what a Node.js process can send: Fastify with nothing in it, and one answer that lies ready. Environment: PORT; FILE, whose
 * bytes are the answer.
 */
import { readFileSync } from "node:fs";
import Fastify from "fastify";

const bytes = readFileSync(process.env.FILE ?? "");
const app = Fastify();
app.get("/*", (_request, reply) => reply.type("application/json; charset=utf-8").send(bytes));
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
