/**
 * Loaded before a service (`node --import`): its clock is CLOCK_SKEW_MS ahead. Of JavaScript's clock alone, which is the one that a
 * service asks: timers run by the monotonic one, as on a machine whose clock is wrong. PostgreSQL, NATS and Redis keep theirs.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const Real = Date;
const now = () => Real.now() + skewMs;

globalThis.Date = new Proxy(Real, {
	construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
	apply: () => new Real(now()).toString(),
	get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
