/**
 * postgres.js 3.4.9 with a few corrections, made while it is loaded. As released, a connection that is lost during a transaction ends
 * the process (a write to a socket that is null, from a timer, where nobody can catch it), or never comes back, or a transaction
 * goes on, outside of any transaction, on the connection's next session (porsager/postgres #1208, #1209, #1215, #1216); and one that
 * leads nowhere, as after a failover, is waited for until the system gives it up, which takes a quarter of an hour; and nothing limits
 * how long a statement waits for a connection. Without an install step to forget; to be deleted when a release has the corrections: a
 * changed source stops the start.
 */
import { registerHooks } from "node:module";
import type postgresJs from "postgres";
import { traceStatements } from "./trace.ts";

interface Correction {
	why: string;
	from: string;
	to: string;
}

const connectionCorrections: Correction[] = [
	{
		why: "a statement for a connection that is closed is rejected instead of written to no socket",
		from: `    if (q.cancelled)
      return

    try {
      q.state = backend`,
		to: `    if (q.cancelled)
      return

    if (socket === null)
      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)

    try {
      q.state = backend`,
	},
	{
		why: "what was meant for the lost session is not written to, or answered by, the next; who reads what it copies hears of it",
		from: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
		to: `    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
    query && queryError(query, errorResponse || lost)
    while (sent.length)
      queryError(sent.shift(), lost)
    stream && stream.push && (stream.destroy(errorResponse || lost), stream = null)
    query = results = errorResponse = null
    result = new Result()
    socket.removeListener('data', data)
    socket.removeListener('connect', connected)
    idleTimer.cancel()`,
	},
	{
		why: "a server that is silent for longer than its own limit of a statement is not there, whatever became of the connection",
		from: "      , connectTimer = timer(connectTimedOut, options.connect_timeout)\n",
		to: `      , connectTimer = timer(connectTimedOut, options.connect_timeout)
      , owedTimer = timer(owedTooLong, options.connection.statement_timeout > 0 && options.connection.statement_timeout / 1000 + 5)
`,
	},
	{
		why: "(from the first statement that it owes an answer to)",
		from: "        : (query = q, query.active = true)\n",
		to: "        : (query = q, query.active = true, owedTimer.start())\n",
	},
	{
		why: "(anew with each thing that it says)",
		from: "  function data(x) {\n",
		to: `  function owedTooLong() {
    stream ? owedTimer.start() : query && socket && socket.destroy()
  }

  function data(x) {
    query && owedTimer.start()
`,
	},
	{
		why: "(until the connection is closed)",
		from: "    lifeTimer.cancel()\n",
		to: "    lifeTimer.cancel()\n    owedTimer.cancel()\n",
	},
	{
		why: "a transaction gets its connection also where no statement may follow another down it (max_pipeline 0)",
		from: `        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))
`,
		to: `        && (!q.options.onexecute || q.options.onexecute(connection))
        && sent.length < max_pipeline
`,
	},
	{
		why: "a COPY that PostgreSQL refuses, in its middle or at its end, fails for who writes it: nobody was told, and the session stayed in a broken transaction",
		from: "      errorResponse = Errors.postgres(parseError(x))\n",
		to: `      errorResponse = Errors.postgres(parseError(x))
      final
        ? (final(errorResponse), final = null)
        : stream instanceof Stream.Writable && (stream.destroy(errorResponse), stream = null)
`,
	},
	{
		why: "(also when the connection is lost while it ends)",
		from: "    stream && (stream.destroy(err), stream = null)\n",
		to: "    stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n",
	},
	{
		why: "when the last rows of a COPY were more than its reader had room for, the connection is read from again",
		from: "    stream && stream.push(null)\n    stream = null\n",
		to: "    stream && stream.push(null)\n    stream = null\n    socket && socket.resume()\n",
	},
	{
		why: "(also when the reader left: the rest is passed over)",
		from: "      read() { socket.resume() }\n",
		to: "      read() { socket && socket.resume() },\n      destroy(error, done) { socket && socket.resume(), done(error) }\n",
	},
	{
		why: "(for whom nothing waits)",
		from: "    stream && (stream.push(x.subarray(5)) || socket.pause())\n",
		to: "    stream && (stream.push(x.subarray(5)) || stream.destroyed || socket.pause())\n",
	},
	{
		why: "a session that ends while its types are asked for is lost, no rejection that nobody can catch and that ends the process",
		from: "        return fetchArrayTypes()\n",
		to: "        return void fetchArrayTypes().catch(() => {})\n",
	},
];

const sessionCorrections: Correction[] = [
	{
		why: "a reserved connection remembers that its session is lost, and refuses what comes after",
		from: `    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
`,
		to: `    c.reserved.release = true

    let lost = null
    c.onclose = error => {
      lost = error
      while (queue.length)
        queue.shift().reject(error)
    }

    const sql = Sql(handler)
    sql.release = () => {
      if (lost)
        return
      c.onclose = c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      if (lost)
        return q.reject(lost)
`,
	},
	{
		why: "a transaction remembers that its session is lost",
		from: "new Promise((_, reject) => connection.onclose = reject)",
		to: `new Promise((_, reject) => connection.onclose = error => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })`,
	},
	{
		why: "so that none of its statements, ROLLBACK and COMMIT included, runs on another session",
		from: `      function handler(q) {
        q.catch(e => uncaughtError || (uncaughtError = e))
`,
		to: `      function handler(q) {
        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
`,
	},
	{
		why: "(its memory)",
		from: `      , connection
      , prepare = null
`,
		to: `      , connection
      , lost = null
      , prepare = null
`,
	},
];

const poolCorrections: Correction[] = [
	{
		why: "how busy a pool is can be seen (metrics.ts)",
		from: "    get parameters() { return options.parameters },\n",
		to: `    get parameters() { return options.parameters },
    load() {
      return {
        most: options.max,
        busy: reserved.length + busy.length + full.length,
        idle: open.length,
        waiting: queries.length
      }
    },
`,
	},
	{
		why: "a statement waits for a connection for a quarter of its own limit; after that its caller will have left before it ends",
		from: "      : queries.push(query)\n  }\n",
		to: `      : (query.queuedAt = performance.now(), queries.push(query))
  }

  function giveUpWaiting() {
    const longest = options.connection.statement_timeout / 4
    while (longest > 0 && performance.now() - queries.first?.queuedAt > longest)
      queries.shift().reject(Object.assign(new Error('no connection was free in time'), { code: 'POOL_TIMEOUT' }))
  }
`,
	},
	{
		why: "(a transaction, too)",
		from: `        const query = { reserve: resolve, reject }
`,
		to: `        const query = { reserve: resolve, reject, queuedAt: performance.now() }
`,
	},
	{
		why: "(looked at when a connection is free)",
		from: `    if (queries.length === 0)
      return move(c, open)
`,
		to: `    giveUpWaiting()
    if (queries.length === 0)
      return move(c, open)
`,
	},
];

const queueCorrections: Correction[] = [
	{
		why: "(who has waited longest)",
		from: "    remove: (x) => {\n",
		to: "    get first() { return xs[index] },\n    remove: (x) => {\n",
	},
];

const corrected = new Map([
	["/postgres/src/connection.js", connectionCorrections],
	["/postgres/src/queue.js", queueCorrections],
	["/postgres/src/index.js", [...sessionCorrections, ...poolCorrections]],
]);

registerHooks({
	load(url, context, nextLoad) {
		const loaded = nextLoad(url, context);
		for (const [file, corrections] of corrected)
			if (url.endsWith(file)) return { ...loaded, source: correct(String(loaded.source), corrections) };
		return loaded;
	},
});

function correct(source: string, corrections: Correction[]): string {
	return corrections.reduce((text, { why, from, to }) => {
		const parts = text.split(from);
		if (parts.length !== 2)
			throw new Error(`postgres.js is not the 3.4.9 that libs/postgres/driver.ts corrects: ${why}`);
		return parts.join(to);
	}, source);
}

const driver: { default: typeof postgresJs } = await import("postgres");
export const postgres = driver.default;

/** How many connections a pool may have and has, and how many statements wait for one. */
export interface PoolLoad {
	most: number;
	busy: number;
	idle: number;
	waiting: number;
}

// One that is never run shows what all are made of.
traceStatements(Object.getPrototypeOf(postgres({ max: 1 })``));
