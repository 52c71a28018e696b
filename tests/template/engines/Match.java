// Reads lines of a pattern and a value in Base64; prints yes or no for each (does the pattern match the whole value?),
// or why the pattern is none.

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Scanner;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

class Match {
    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            String[] fields = lines.nextLine().split(" ", 2);
            try {
                Pattern pattern = Pattern.compile(decoded(fields[0]));
                System.out.println(pattern.matcher(decoded(fields[1])).matches() ? "yes" : "no");
            } catch (PatternSyntaxException error) {
                System.out.println("refused: " + error.getMessage().lines().findFirst().orElse(""));
            }
        }
    }

    static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
