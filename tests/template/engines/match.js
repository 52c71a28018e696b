// Reads lines of a pattern and a value in Base64; prints yes or no for each (is the pattern found in the value?), or
// why the pattern is none.

"use strict";

const decoded = (text) => Buffer.from(text, "base64").toString("utf8");

for (const line of require("fs").readFileSync(0, "utf8").split("\n").slice(0, -1)) {
  const [pattern, value] = line.split(" ");
  try {
    console.log(new RegExp(decoded(pattern)).test(decoded(value)) ? "yes" : "no");
  } catch (error) {
    console.log(`refused: ${error.message}`);
  }
}
