import { readFileSync } from "node:fs";
import validate from "har-validator/lib/promise.js";
const har = JSON.parse(readFileSync(0, "utf8"));
await validate.har(har).then(() => console.log("valid", har.log.entries.length), e => { console.log(JSON.stringify(e.errors, null, 1)); process.exit(1); });
